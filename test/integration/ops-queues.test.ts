import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startOps } from '#test/support/ops.ts'
import { type QueueEngine, startQueueEngine } from '#test/support/queue-engine.ts'
import { watchCommands } from '#test/support/uploads.ts'

const LETTERS = [
  'UPDATE_DEAD_LETTERS_URL',
  'EVENT_DEAD_LETTERS_URL',
  'INGESTION_DEAD_LETTERS_URL',
  'GIVEN_UP_QUEUE_URL',
  'UNCOUNTED_QUEUE_URL',
]
const NAMES = ['UPDATE_QUEUE_URL', 'EVENT_QUEUE_URL', 'INGESTION_QUEUE_URL', ...LETTERS]

let queues: QueueEngine
let tool: Awaited<ReturnType<typeof startOps>>
beforeAll(async () => {
  Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' })
  queues = await startQueueEngine(NAMES)
  tool = await startOps()
})
afterAll(async () => {
  await tool.stop()
  await queues.stop()
})
beforeEach(async () => {
  for (const name of NAMES) await queues.take(name)
})

const put = async (name: string, bodies: readonly string[]) => {
  const client = new SQSClient({})
  for (const body of bodies) {
    await client.send(new SendMessageCommand({ QueueUrl: process.env[name], MessageBody: body, MessageGroupId: 'a' }))
  }
  client.destroy()
}

const BODIES = Array.from({ length: 23 }, (_, index) => JSON.stringify({ task_id: `${index}` }))

const deadLetters = async (): Promise<number> => JSON.parse((await tool.ops(['queues', '--json'])).out)[0].dead_letters

describe('the queues command', () => {
  it('queues shows waiting messages and dead letters', async () => {
    await put('UPDATE_QUEUE_URL', BODIES.slice(0, 3))
    await put('UPDATE_DEAD_LETTERS_URL', BODIES)
    await put('INGESTION_DEAD_LETTERS_URL', ['{}'])
    await put('GIVEN_UP_QUEUE_URL', ['{}'])
    await put('UNCOUNTED_QUEUE_URL', ['{}', '{}'])
    const { code, out, err } = await tool.ops(['queues', '--json'])
    expect(code).toBe(0)
    expect(err.split('\n')).toEqual([
      'Dead letters:',
      '  updates: fix what made them fail, then npm run ops -- redrive updates.',
      expect.stringMatching(/^ {2}ingestion: .* redrive ingestion\. A redrive resumes uploads that wait for their files\. .*\.$/),
      expect.stringMatching(/^ {2}given-up: the log/),
      expect.stringMatching(/^ {2}uncounted: the log of count-changes/),
      '',
    ])
    expect(JSON.parse(out)).toEqual([
      {
        ...{ queue: 'updates', waiting: 3, in_flight: 0, delayed: 0, dead_letters: 23 },
        dead_letters_since: expect.stringMatching(/^\d{4}-/),
      },
      expect.objectContaining({ queue: 'ingestion', dead_letters: 1 }),
      { queue: 'events', waiting: 0, in_flight: 0, delayed: 0, dead_letters: 0, dead_letters_since: null },
      expect.objectContaining({ queue: 'given-up', dead_letters: 1 }),
      expect.objectContaining({ queue: 'uncounted', dead_letters: 2 }),
    ])
    expect((await tool.ops(['queues'])).out).toMatch(/^QUEUE +WAITING +IN FLIGHT +DELAYED +DEAD LETTERS +SINCE\nupdates +3 +0 +0 +23 +\d/)
  })
})

describe('the redrive command', () => {
  it('redrive sends back all dead letters, or as many as --limit says', async () => {
    await put('UPDATE_DEAD_LETTERS_URL', BODIES)
    expect(await tool.ops(['redrive', 'updates', '--dry-run'])).toMatchObject({
      code: 0,
      out: '23 dead letters of updates: nothing was sent.\n',
    })
    expect((await tool.ops(['redrive', 'updates', '--limit', '4'])).out).toBe('4 of 23 dead letters of updates sent back.\n')
    expect((await tool.ops(['redrive', 'updates'])).out).toBe('19 of 19 dead letters of updates sent back.\n')
    expect((await queues.take('UPDATE_QUEUE_URL')).toSorted()).toEqual(BODIES.toSorted())
    expect(await queues.take('UPDATE_DEAD_LETTERS_URL')).toEqual([])
  })

  it.each([1, 2, 5, 10])('redrive loses no dead letter when it is killed before write %i', async (effect) => {
    // Dead letters that other tests were redriving are hidden for a while.
    const hidden = await deadLetters()
    await put('UPDATE_DEAD_LETTERS_URL', BODIES.slice(0, 5))
    const commands = watchCommands()
    await commands.killed(effect, async () => void (await tool.ops(['redrive', 'updates'])))
    commands.stop()
    expect(await queues.take('UPDATE_QUEUE_URL')).toHaveLength(Math.floor(effect / 2))
    expect(await deadLetters()).toBe(hidden + 5 - Math.floor((effect - 1) / 2))
  })

  it.each([
    [['redrive', 'given-up'], 1, /^Dead letters of the stream are not messages/],
    [['redrive', 'calls'], 1, /^The service has no queue calls\. It has: updates, ingestion, events, given-up, uncounted\.\n$/],
    [['redrive', 'updates', '--limit', '0'], 2, /'0' is invalid\. Write a whole number, 1 or more\./],
    [['redrive', 'updates', '--limit', 'abc'], 2, /'abc' is invalid\. Write a whole number, 1 or more\./],
    [['redrive', 'nothing'], 2, /^There is no queue nothing\. Choose one of: calls, deliveries, .*, given-up, uncounted\.\n$/],
  ])('the ops tool rejects the redrive command %j', async (args, code, err) => {
    expect(await tool.ops(args)).toEqual({ code, out: '', err: expect.stringMatching(err) })
  })
})
