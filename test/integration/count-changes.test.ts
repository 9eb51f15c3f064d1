import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { mockClient } from 'aws-sdk-client-mock'
import type { Call } from '#shared/calling/call.ts'
import { storedCall } from '#shared/calling/call-store.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { leadItem } from '#shared/leads/lead-store.ts'
import { callKey } from '#shared/platform/keys.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { MOST_SOURCES } from '#shared/statistics/rules/source-name.ts'
import { countedItems } from '#test/support/counted-items.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'
import { countBatch, streamRecord } from '#test/support/stream-records.ts'
import { suiteTable } from '#test/support/suite-world.ts'

suiteTable()

const queue = mockClient(SQSClient)
let owner = 100
beforeEach(() => {
  queue.reset()
  queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] })
  owner++
})

const lead = (changes: Partial<Lead> = {}) => leadItem(sampleLead({ owner, ...changes }))
const call = (changes: Partial<Call> = {}) => {
  const made = sampleCall({ owner, ...changes })
  return { ...callKey(made.lead, made.attempt), ...storedCall(made) }
}
const BUSY = { completed_time: NOON, reported_outcome: 'busy', outcome: 'DIAL_BUSY', is_contact: false } as const
const TRANSFER = {
  completed_time: NOON,
  reported_outcome: 'transferred_warm',
  outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER',
  is_contact: true,
} as const

/** The numbers of this test's owner, without the owner. */
const counts = async (): Promise<Record<string, number>> => {
  const { stored } = await countedItems()
  const own = Object.entries(stored).filter(([name]) => name.startsWith(`${owner} | `))
  return Object.fromEntries(own.map(([name, number]) => [name.slice(`${owner} | `.length), number]))
}

const DAY = '2026-11-20'
const CREATED = `${DAY} | 4 |  | created`
const now = (status: string, type: number | string = 4, source = '') => `now | ${type} | ${source} | ${status}`
const at = (name: string, source = '') => `${DAY} | 4 | ${source} | ${name}`

describe('count-changes', () => {
  it('count-changes counts a lead through its life: created, changed, moved and removed', async () => {
    const steps = [lead(), lead({ status: 'CLOSED' }), lead({ status: 'CLOSED', lead_type: 5, lead_source: ' web ' })]
    await countBatch([streamRecord(undefined, steps[0])])
    expect(await counts()).toEqual({ [now('OPEN')]: 1, [CREATED]: 1 })
    await countBatch([streamRecord(steps[0], steps[1])])
    expect(await counts()).toEqual({ [now('CLOSED')]: 1, [CREATED]: 1 })
    await countBatch([streamRecord(steps[1], steps[2])])
    expect(await counts()).toEqual({ [now('CLOSED', 5, 'web')]: 1, [`${DAY} | 5 | web | created`]: 1 })
    await countBatch([streamRecord(steps[2], undefined)])
    expect(await counts()).toEqual({})
  })

  it('count-changes counts a lead of an earlier version when it enters the index of changes', async () => {
    const { change_list, changed_at, ...former } = lead({ status: 'NEW' }) as ReturnType<typeof lead> & Record<string, unknown>
    await countBatch([streamRecord(undefined, former), streamRecord(former, { ...former, status: 'OPEN' })])
    expect(await counts()).toEqual({})
    await countBatch([streamRecord({ ...former, status: 'OPEN' }, lead())])
    expect(await counts()).toEqual({ [now('OPEN')]: 1, [CREATED]: 1 })
  })

  it('count-changes counts a call once it is over, in the hour in which it began, and by its attempt', async () => {
    const [begun, over] = [call({ intent_time: NOON + HOUR }), call({ intent_time: NOON + HOUR, ...TRANSFER })]
    await countBatch([streamRecord(undefined, begun), streamRecord(begun, over), streamRecord(over, { ...over, summary: 'Yes.' })])
    expect(await counts()).toEqual({ [at('h17t')]: 1, [at('h17p')]: 1, [at('a1')]: 1 })
  })

  it('count-changes counts a refused call and a call of unknown fate', async () => {
    await countBatch([
      streamRecord(undefined, call({ refused_time: NOON })),
      streamRecord(undefined, call({ attempt: 12, unknown_time: NOON })),
    ])
    expect(await counts()).toEqual({ [at('h16f')]: 1, [at('h16u')]: 1, [at('a1')]: 1, [at('a10')]: 1 })
  })

  it('count-changes corrects the counts when a call gets another outcome, and when a call is removed and restored', async () => {
    const [lost, busy, transfer] = [call({ unknown_time: NOON }), call({ unknown_time: NOON, ...BUSY }), call(TRANSFER)]
    await countBatch([streamRecord(undefined, lost), streamRecord(lost, busy)])
    expect(await counts()).toEqual({ [at('h16b')]: 1, [at('a1')]: 1 })
    await countBatch([streamRecord(busy, transfer)])
    expect(await counts()).toEqual({ [at('h16t')]: 1, [at('h16p')]: 1, [at('a1')]: 1 })
    const gone = streamRecord(transfer, undefined)
    await countBatch([gone])
    expect(await counts()).toEqual({})
    await countBatch([gone, streamRecord(undefined, transfer)])
    expect(await counts()).toEqual({ [at('h16t')]: 1, [at('h16p')]: 1, [at('a1')]: 1 })
  })

  it('count-changes leaves out calls of earlier versions, also when their outcome changes', async () => {
    const former = call({ lead_source: null, unknown_time: NOON })
    await countBatch([streamRecord(undefined, former), streamRecord(former, call({ lead_source: null, ...BUSY }))])
    expect(await counts()).toEqual({})
  })

  it('count-changes counts each record once, when all are delivered again and cut into other batches', async () => {
    const records = Array.from({ length: 130 }, (_, index) => streamRecord(undefined, lead({ id: index + 1 })))
    await countBatch([...records.slice(0, 70), ...records.slice(0, 3)])
    for (let start = 0; start < records.length; start += 30) await countBatch(records.slice(start, start + 30))
    await countBatch(records)
    expect(await counts()).toEqual({ [now('OPEN')]: 130, [CREATED]: 130 })
  })

  it('count-changes counts each record once when several runs get the same records at the same time', async () => {
    const records = Array.from({ length: 60 }, (_, index) => streamRecord(undefined, call({ lead: index + 1, ...BUSY })))
    await Promise.all([
      countBatch(records),
      countBatch(records.slice(20)),
      countBatch(records.toReversed()),
      countBatch(records.slice(0, 40)),
    ])
    expect(await counts()).toEqual({ [at('h16b')]: 60, [at('a1')]: 60 })
  })

  it(`count-changes counts ${MOST_SOURCES} lead sources of an owner by name, and all further ones together`, async () => {
    const sources = Array.from({ length: MOST_SOURCES + 10 }, (_, index) => `source ${index}`)
    const leads = sources.map((lead_source, index) => lead({ id: index + 1, lead_source }))
    await Promise.all(
      [0, 1, 2].map((part) => countBatch(leads.filter((_, i) => i % 3 === part).map((item) => streamRecord(undefined, item)))),
    )
    const first = await counts()
    const named = Object.keys(first).filter((name) => name.startsWith('now |') && !name.includes('(other)'))
    expect(named).toHaveLength(MOST_SOURCES)
    expect(first[now('OPEN', 4, '(other)')]).toBe(10)
    await countBatch(leads.map((item) => streamRecord(item, undefined)))
    expect(Object.keys(await counts()).filter((name) => name.startsWith('now |'))).toEqual([])
  })

  it('count-changes counts long lead sources with the same beginning together', async () => {
    const [one, other] = ['a', 'b'].map((end) => `${'x'.repeat(60)}${end}`)
    await countBatch([one, other].map((lead_source, index) => streamRecord(undefined, lead({ id: index + 1, lead_source: lead_source! }))))
    expect(await counts()).toMatchObject({ [now('OPEN', 4, 'x'.repeat(60))]: 2 })
  })

  it('count-changes sends an unreadable record to the dead letters, and counts the others', async () => {
    const [broken, gone] = [streamRecord(undefined, lead({ id: 2 })), { ...streamRecord(undefined, lead({ id: 3 })), eventID: 7 } as never]
    broken.dynamodb!.NewImage!['status'] = { S: 'NO_SUCH_STATUS' }
    await countBatch([streamRecord(undefined, lead()), broken, gone, streamRecord(undefined, lead({ id: 4 }))])
    expect(await counts()).toEqual({ [now('OPEN')]: 2, [CREATED]: 2 })
    const letters = queue.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? [])
    expect(letters.map(({ MessageBody }) => JSON.parse(`${MessageBody}`).eventID)).toEqual([broken.eventID, 7])
  })
})
