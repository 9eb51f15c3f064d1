import { describe, expect, it } from '@jest/globals'
import { readCommandLine } from './ingestion/command-line.ts'
import { ingestInParallel } from './ingestion/lanes/run.ts'
import { ingestTwice, ingestUnderFire } from './ingestion/run.ts'

/** The short forms of `npm run simulate -- ingestion`. */
describe('a file of leads', () => {
  it('a file creates the leads in it, and writes nothing when it is sent again', async () => {
    const lines: string[] = []
    const { faults } = await ingestTwice({ rows: 600, seed: 1, isContradictory: false }, { print: (line) => lines.push(line) })
    expect({ faults, lines }).toEqual({ faults: [], lines })
    expect(lines).toContainEqual(expect.stringContaining('hottest key'))
  })

  it('each row of a file is counted once, even when functions die and events come twice', async () => {
    const lines: string[] = []
    const plan = { kills: 2, seed: 1, isHurried: true }
    const faults = await ingestUnderFire({ rows: 600, seed: 2, isContradictory: true }, plan, { print: (line) => lines.push(line) })
    expect({ faults, lines }).toEqual({ faults: [], lines })
    expect(lines).toContainEqual(expect.stringContaining('hottest key'))
  })
})

describe('a large file of leads', () => {
  it('each row of a large file is counted once by its lanes, even when functions die and events come twice', async () => {
    const lines: string[] = []
    const plan = { kills: 2, seed: 1, isHurried: true }
    const spec = { rows: 900, seed: 3, isContradictory: true, isInLanes: true, notes: 10_000 }
    const faults = await ingestUnderFire(spec, plan, { print: (line) => lines.push(line) })
    expect({ faults, lines }).toEqual({ faults: [], lines })
    expect(lines).toContainEqual(expect.stringContaining('hottest key'))
    expect(lines.join('\n')).toContain('in 3 lanes')
  })

  it('several workers read a large file in a fraction of the time that one worker takes', async () => {
    const lines: string[] = []
    const faults = await ingestInParallel({ rows: 2000, seed: 1, workers: [1, 8], least: 0.25 }, { print: (line) => lines.push(line) })
    expect({ faults, lines }).toEqual({ faults: [], lines })
  })
})

describe('the command line of the ingestion simulation', () => {
  it('the ingestion simulation has defaults and gives help', () => {
    const workers = ['1', '2', '4', '8']
    const options = { rows: 200_000, small: 10_000, fired: 20_000, notes: 1600, kills: 20, lanes: 40_000, workers, seed: 1, short: false }
    expect(readCommandLine([])).toEqual({ kind: 'run', options })
    expect(readCommandLine(['--rows', '0', '--short'])).toEqual({ kind: 'run', options: { ...options, rows: 0, short: true } })
    expect(readCommandLine(['--workers', '1', '--workers', '8'])).toEqual({ kind: 'run', options: { ...options, workers: ['1', '8'] } })
    expect(readCommandLine(['--help', '--rows', 'x'])).toEqual({ kind: 'help' })
  })

  it.each([
    [['--rows', 'many'], /--rows .*"many"/],
    [['--kills', '-1'], /--kills/],
    [['--workers', '3'], /--workers .*"3"/],
    [['--sed', '1'], /--sed/],
    [['x'], /x/],
  ])('the ingestion simulation refuses %j in one sentence', (args, sentence) => {
    const read = readCommandLine(args)
    expect(read).toEqual({ kind: 'mistake', message: expect.stringMatching(sentence) })
    expect(read.kind === 'mistake' && read.message).toMatch(/^[^\n]+[.?]$/)
  })
})
