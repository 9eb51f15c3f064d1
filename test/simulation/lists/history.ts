import type { CALL_OUTCOMES } from '#shared/calling/call.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import type { CountChange } from '#shared/statistics/rules/changes.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'
import { aSubscription } from '#test/support/webhook-fixtures.ts'
import { SOURCES, TYPES, USED, varied } from './measure.ts'

/** Days of calls and of deliveries, as many as the views show. The last one is today. */
const DAYS = 30
/** Leads for each call and for each delivery. */
const LEADS_OF_EACH = 5
/** Lead types with sources. A round has one call for each of them on each day. */
const GROUPS = TYPES.length * SOURCES.length
/** The least number of calls: each item of the statistics, which is one for each day and group, counts ten of them. */
const FEWEST = 10 * DAYS * GROUPS
/** Items of a request. */
const CHUNK = 1000
/** One delivery of so many has failed for good. */
const FAILED_OF = 10

const OUTCOMES: readonly (typeof CALL_OUTCOMES)[number][] = [
  'DIAL_NO_ANSWER',
  'WENT_TO_VOICEMAIL',
  'COMPLETED',
  'DIAL_BUSY',
  'COMPLETED_CLOSED_LIVE_TRANSFER',
]

/** How many calls, and how many deliveries, belong to so many leads. */
export const historyOf = (leads: number): number => Math.max(FEWEST, Math.floor(leads / LEADS_OF_EACH))

interface Seeded {
  readonly owner: number
  readonly leads: number
  /** The first open lead. */
  readonly lead: number
}

const roundOf = (index: number): number => Math.floor(index / (GROUPS * DAYS))

/** The instant of a call or a delivery. Each day has as many, and each round another hour. */
const instantOf = (index: number): number => NOON - (Math.floor(index / GROUPS) % DAYS) * DAY - ((roundOf(index) * 5) % 12) * HOUR

/** Calls of the open leads, which are over. Each lead type and source has as many. */
const callOf = ({ owner, leads, lead: first }: Seeded, index: number) => {
  const open = Math.floor(leads / USED.length)
  const [place, attempt] = [index % open, Math.floor(index / open) + 1]
  const [lead, intent_time, outcome] = [
    first + place * USED.length,
    instantOf(index),
    OUTCOMES[(index + roundOf(index)) % OUTCOMES.length]!,
  ]
  const { lead_type = null, lead_source = '' } = varied(place * USED.length)
  return sampleCall({
    ...{ call_id: `${lead}-${attempt}`, lead, owner, attempt, lead_type, lead_source, intent_time, outcome },
    ...{
      due_time: intent_time,
      ended_time: intent_time + 60_000,
      completed_time: intent_time + 60_000,
      settled_time: intent_time + 60_000,
    },
    is_contact: outcome.startsWith('COMPLETED'),
  })
}

const deliveryOf = ({ owner, lead }: Seeded, subscription: number, index: number, delivery_id: string): Delivery => ({
  ...{ delivery_id, subscription, owner, event_id: `e${index}`, trigger: 'LEAD_CREATED', lead, payload: '{}' },
  status: index % FAILED_OF === 0 ? 'failed' : 'delivered',
  ...{ attempts: [], earlier_attempts: 0, next_attempt_time: null, begun_time: null, created_time: instantOf(index) },
  expires_at: Math.floor(instantOf(index) / 1000) + 31 * 86_400,
})

const chunksOf = (number: number): number[][] =>
  Array.from({ length: Math.ceil(number / CHUNK) }, (_, chunk) =>
    Array.from({ length: Math.min(CHUNK, number - chunk * CHUNK) }, (_, index) => chunk * CHUNK + index),
  )

/** Adds up changes without keeping them. */
const sums = () => {
  const byNumber = new Map<string, CountChange>()
  return {
    add: (changes: readonly CountChange[]): void => {
      for (const change of changes) {
        const name = `${change.day} ${change.leadType} ${change.source} ${change.name}`
        byNumber.set(name, { ...change, by: change.by + (byNumber.get(name)?.by ?? 0) })
      }
    },
    /** The changes of each item of the statistics. */
    byItem: () => [...Map.groupBy(byNumber.values(), ({ day, leadType, source }) => `${day} ${leadType} ${source}`).values()],
  }
}

/** Writes calls, and counts them and the leads as the stream would. */
const seedCalls = async (seeded: Seeded): Promise<void> => {
  const [{ batchPut }, { callKey }, { storedCall }, { callChanges, leadChanges }, { countRecords }] = await Promise.all([
    import('#shared/platform/table/batches.ts'),
    import('#shared/platform/keys.ts'),
    import('#shared/calling/call-store.ts'),
    import('#shared/statistics/rules/changes.ts'),
    import('#shared/statistics/count.ts'),
  ])
  const counted = sums()
  for (let index = 0; index < seeded.leads; index++) {
    counted.add(leadChanges(undefined, sampleLead({ owner: seeded.owner, ...varied(index) })))
  }
  for (const indexes of chunksOf(historyOf(seeded.leads))) {
    const calls = indexes.map((index) => callOf(seeded, index))
    for (const call of calls) counted.add(callChanges(undefined, call))
    await batchPut(calls.map((call) => ({ ...callKey(call.lead, call.attempt), ...storedCall(call) })))
  }
  const records = counted.byItem().map((changes, place) => ({ eventId: `seed-${seeded.owner}-${place}`, changes }))
  await countRecords(records)
}

/** Writes the deliveries of a subscription. @returns its id */
const seedDeliveries = async (seeded: Seeded): Promise<number> => {
  const [{ batchPut }, { deliveryId, deliveryKey, deliveryList, deliveryPartsOf, failedPlacement }, { saveSubscription }] =
    await Promise.all([
      import('#shared/platform/table/batches.ts'),
      import('#shared/platform/keys.ts'),
      import('#shared/webhooks/subscription-store.ts'),
    ])
  const subscription = 1000 + seeded.owner
  await saveSubscription(aSubscription({ id: subscription, owner: seeded.owner, created_time: NOON - (DAYS + 10) * DAY }))
  const itemOf = (index: number) => {
    const id = deliveryId({ subscription, shard: index % 4, time: instantOf(index), eventId: `e${index}` })
    const [parts, delivery] = [deliveryPartsOf(id), deliveryOf(seeded, subscription, index, id)]
    return {
      ...{ ...deliveryKey(parts), ...delivery, owner_block: deliveryList(parts), position: parts.time },
      ...(delivery.status === 'failed' && failedPlacement(parts, seeded.owner)),
    }
  }
  for (const indexes of chunksOf(historyOf(seeded.leads))) await batchPut(indexes.map(itemOf))
  return subscription
}

/** Gives the leads of `seedVaried` calls, statistics, and a subscription with deliveries. @returns the id of the subscription */
export const seedHistory = async (seeded: Seeded): Promise<number> => {
  await seedCalls(seeded)
  return seedDeliveries(seeded)
}
