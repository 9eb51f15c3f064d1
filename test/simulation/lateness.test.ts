import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from '@jest/globals'
import { chanceFrom } from './lateness/chance.ts'
import { readCommandLine } from './lateness/command-line.ts'
import { heap } from './lateness/heap.ts'
import { emptyJournal } from './lateness/journal.ts'
import { calledTwice, handOvers, lateness, mostAtOnce, spreadOf, timeInCalls } from './lateness/measure.ts'
import { type QueueOptions, virtualQueue } from './lateness/queue.ts'
import { startVirtualTime } from './lateness/virtual-time.ts'

const COMMAND = fileURLToPath(new URL('simulate.ts', import.meta.url))
const children: ReturnType<typeof spawn>[] = []

afterAll(() => {
  for (const child of children) child.kill('SIGTERM')
})

/** The command that `npm run simulate -- NAME` starts. */
const simulated = async (name: string, args: readonly string[]) => {
  const child = spawn(process.execPath, ['--no-warnings', COMMAND, name, '--quiet', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [output, complaint] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  const code = await ended
  return { code, output, bounds: { code, complaint, broken: output.split('\n').filter((line) => line.includes('BROKEN')) } }
}

/** The result of a simulation in which every bound holds. */
const HELD = { code: 0, complaint: '', broken: [] }

const command = (...args: string[]) => simulated('lateness', args)
const morning = (...args: string[]) => simulated('morning', args)
const lines = (...args: string[]) => simulated('lines', args)

const journalOf = (rows: readonly { due: number; asked?: number; owner?: number }[]) => {
  const journal = emptyJournal()
  rows.forEach(({ due, asked, owner = 1 }, lead) => {
    journal.due.set(lead, { owner, instant: due, isFresh: false })
    if (asked !== undefined) journal.asked.push({ lead, instant: asked, callId: `${lead}-1` })
  })
  return journal
}

describe('the lateness simulation', () => {
  it('the lateness simulation keeps every bound with some calls and with a crowd', async () => {
    const { output, bounds } = await command('--short', '--leads', '80', '--owners', '6', '--scenario', 'hour', '--scenario', 'crowd')
    expect(bounds).toEqual(HELD)
    expect(output).toMatch(/all: calls +80 /)
    expect(output).toMatch(/the crowd: called +40 leads/)
    expect(output).toContain('Every bound holds.')
  })

  it('the lateness simulation ends with 1 when messages come late', async () => {
    const { code, output } = await command('--short', '--leads', '10', '--owners', '2', '--scenario', 'hour', '--plant', 'late')
    expect(code).toBe(1)
    expect(output).toMatch(/all: late, p99 +\d+(\.\d+)? ms {2}BROKEN: at most 2000/)
    expect(output).toContain('Broken bounds: 1.')
  })
})

describe('the morning simulation', () => {
  it('the morning simulation calls for every owner at once, and never on more lines than an owner has', async () => {
    const { output, bounds } = await morning('--seconds', '180', '--leads', '2000', '--owners', '8')
    expect(bounds).toEqual(HELD)
    expect(output).toMatch(/leads +2000 /)
  })
})

describe('the lines simulation', () => {
  it('the lines simulation keeps an owner’s lines in calls while leads wait, and never more than there are', async () => {
    const { output, bounds } = await lines('--lines', '150', '--seconds', '60', '--leads', '700')
    expect(bounds).toEqual(HELD)
    expect(output).toMatch(/lines in use, at most +150 /)
  })
})

describe('the measurement', () => {
  it('the lateness report uses the nearest rank of sorted numbers', () => {
    const numbers = Array.from({ length: 200 }, (_, index) => 200 - index)
    expect(spreadOf(numbers)).toEqual({ count: 200, p50: 100, p99: 198, max: 200, min: 1 })
    expect(spreadOf([])).toEqual({ count: 0, p50: 0, p99: 0, max: 0, min: 0 })
  })

  it('the lateness report shows leads that were called early, late or not at all', () => {
    const journal = journalOf([
      { due: 1000, asked: 1500 },
      { due: 1000, asked: 999 },
      { due: 1000 },
      { due: 9000 },
      { due: 1000, asked: 9000, owner: 2 },
    ])
    expect(lateness(journal, ({ owner }) => owner === 1, { from: 0, end: 5000 })).toMatchObject({
      count: 2,
      max: 500,
      min: -1,
      early: 1,
      missed: 1,
    })
    expect(lateness(journal, ({ owner }) => owner === 2, { from: 3000, end: 5000 })).toMatchObject({ count: 1, max: 6000, early: 0 })
  })

  it('the lateness report shows leads that were called twice', () => {
    const journal = journalOf([{ due: 0, asked: 1 }])
    expect(calledTwice(journal)).toBe(0)
    journal.asked.push({ lead: 0, instant: 5, callId: '0-2' })
    expect(calledTwice(journal)).toBe(1)
  })

  it('the lateness report shows how long a line is idle between the end of a call and the next dial', () => {
    const lines = { lines: 2, from: 0, until: 100 }
    expect(handOvers([1, 2, 30, 50], [20, 45], lines)).toMatchObject({ gaps: { count: 2, max: 10 }, first: { max: 2 }, idle: 18 })
    // Nobody takes the line that is free from 20 on, and the second line is never used.
    expect(handOvers([1], [20], lines)).toMatchObject({ gaps: { count: 1, max: 80 }, first: { count: 2, max: 100 }, idle: 181 })
    // A line that becomes free after the last lead was called is not idle.
    expect(handOvers([1, 2], [120], lines)).toMatchObject({ gaps: { count: 0 }, idle: 3, idleShare: 3 / 200 })
    // The first calls of all lines are placed until 48.
    expect(handOvers([1, 2, 30, 50], [20, 45], { ...lines, calm: 48 })).toMatchObject({ gaps: { count: 1, max: 2 } })
  })

  it('the lines report counts the calls at an instant, and the time that calls take of a span', () => {
    expect(mostAtOnce([0, 10, 20], [10, 30])).toBe(2)
    expect(mostAtOnce([0, 10, 20], [11, 30])).toBe(2)
    expect(mostAtOnce([0, 10, 20], [21, 30])).toBe(3)
    // The first call is over before the span, the second one goes on after it, and the third one begins in it.
    expect(timeInCalls([0, 5, 15], [8, 40], { from: 10, until: 20 })).toBe(10 + 5)
  })

  it('the lateness report takes events in order of time, and simultaneous events in order of arrival', () => {
    const events = heap<string>()
    for (const [instant, name] of [
      [5, 'd'],
      [1, 'a'],
      [3, 'b'],
      [3, 'c'],
      [9, 'e'],
    ] as const)
      events.push(instant, name)
    expect(Array.from({ length: 5 }, () => events.pop()?.thing).join('')).toBe('abcde')
    expect(events.next()).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the simulated queue', () => {
  const START = 1_000_000
  const withQueue = async (
    options: Partial<QueueOptions>,
    play: (queue: ReturnType<typeof virtualQueue>, later: (milliseconds: number) => Promise<void>) => Promise<void>,
  ) => {
    const chance = chanceFrom(1)
    const { time, restore } = startVirtualTime(START, chance.next)
    try {
      const usual = { time, chance, visibilitySeconds: 90, maxReceives: 3, isFair: true, duplicates: 0, lateness: 0 }
      await play(virtualQueue({ ...usual, ...options }), (milliseconds) => time.run(time.now() + milliseconds))
    } finally {
      restore()
    }
  }
  const bodies = (messages: readonly { readonly body: string }[]) => messages.map(({ body }) => body).join('')

  it('the simulated queue delays a message, and hides a received one until it is deleted or visible again', () =>
    withQueue({}, async (queue, later) => {
      queue.send('a', '1', 10)
      await later(9_999)
      expect(queue.receive(1)).toEqual([])
      await later(100)
      const [first] = queue.receive(10)
      expect(first?.body).toBe('a')
      queue.hide(first!.id, 10)
      await later(9_000)
      expect(queue.receive(1)).toEqual([])
      await later(2_000)
      const [again] = queue.receive(1)
      expect(again).toBe(first)
      queue.delete(again!)
      await later(200_000)
      expect(queue.receive(1)).toEqual([])
    }))

  it('the simulated queue moves a message to the dead letters after too many receives', () =>
    withQueue({}, async (queue, later) => {
      queue.send('a', '1', 0)
      for (let tries = 0; tries < 3; tries++) {
        await later(91_000)
        expect(queue.receive(1)).toHaveLength(1)
      }
      await later(91_000)
      expect(queue.receive(1)).toEqual([])
      expect(queue.counts.deadLetters).toBe(1)
    }))

  it.each([
    [true, /^[a-f]x$/],
    [false, /^[a-f]{2}$/],
  ])('the simulated queue with fairness %s returns messages of a crowd and a latecomer as %s', (isFair, given) =>
    withQueue({ isFair }, async (queue, later) => {
      for (const body of 'abcdef') queue.send(body, 'crowd', 0)
      await later(100)
      queue.send('x', 'quiet', 0)
      await later(100)
      expect(bodies(queue.receive(2))).toMatch(given)
    }),
  )

  it('the simulated queue delivers a message twice when told to', () =>
    withQueue({ duplicates: 1 }, async (queue, later) => {
      queue.send('a', '1', 0)
      await later(31_000)
      expect(bodies(queue.receive(5))).toBe('aa')
    }))
})

describe('the command line of the lateness simulation', () => {
  it('the lateness simulation reads sizes from options or the environment', () => {
    expect(readCommandLine([], { LEADS: '500', OWNERS: '7' })).toMatchObject({ options: { size: { leads: 500, owners: 7, seed: 1 } } })
    expect(readCommandLine(['--leads', '3'], { LEADS: '500' })).toMatchObject({ options: { size: { leads: 3, owners: 50 } } })
    expect(readCommandLine(['--scenario', 'crowd'], {})).toMatchObject({ options: { scenarios: ['crowd'], jobs: 2 } })
  })

  it.each([[['--leads', 'many']], [['--scenario', 'night']], [['--plant', 'roses']], [['--nonsense']]])(
    'the lateness simulation reports a mistake in %s',
    (args) => {
      expect(readCommandLine(args, {})).toMatchObject({ kind: 'mistake' })
    },
  )
})
