import type { DUE_LISTS } from '../schema/lead.ts'
import type { Instant } from '../schema/values.ts'

/** Every key string of the table. Changing one is a migration: golden tests pin them. */

export interface Key {
  readonly pk: string
  readonly sk: string
}

/** How many partitions of the due index share the leads that will be due, and the calls in progress. */
export const DUE_SHARDS = 4

/** Leads of one owner in one partition of the list index. */
export const POSITIONS_PER_BLOCK = 1000

/** Blocks whose holes are counted in one item: as many as one read unit holds, when each of them has some. */
export const BLOCKS_PER_GROUP = 500

const ATTEMPT_DIGITS = 6

export const leadKey = (lead: number): Key => ({ pk: `LEAD#${lead}`, sk: 'LEAD' })
export const CALL_PREFIX = 'CALL#'
export const callKey = (lead: number, attempt: number): Key => ({
  pk: `LEAD#${lead}`,
  sk: `${CALL_PREFIX}${String(attempt).padStart(ATTEMPT_DIGITS, '0')}`,
})
export const SMS_PREFIX = 'SMS#'
export const smsKey = (lead: number, sms: string): Key => ({ pk: `LEAD#${lead}`, sk: `${SMS_PREFIX}${sms}` })
export const personKey = (owner: number, phoneNumber: string): Key => ({ pk: `PERSON#${owner}#${phoneNumber}`, sk: 'PERSON' })
export const phoneKey = (group: string, hash: string): Key => ({ pk: `PHONE#${group}#${hash}`, sk: 'PHONE' })
/** A user of a DNC group. */
export const memberKey = (group: string, user: number): Key => ({ pk: `DNCGROUP#${group}`, sk: `USER#${user}` })
export const linesKey = (owner: number): Key => ({ pk: `LINES#${owner}`, sk: 'LINES' })
export const parkedKey = (owner: number): Key => ({ pk: `LINES#${owner}`, sk: 'PARKED' })
export const waitersKey = (owner: number): Key => ({ pk: `LINES#${owner}`, sk: 'WAITERS' })
export const userKey = (user: number): Key => ({ pk: `USER#${user}`, sk: 'USER' })
export const apiKeyKey = (sha256: string): Key => ({ pk: `KEY#${sha256}`, sk: 'KEY' })
/** Which keys a user has, found by the beginning of their hashes. */
export const API_KEY_PREFIX = 'APIKEY#'
export const ownedApiKeyKey = (user: number, sha256: string): Key => ({ pk: `USER#${user}`, sk: `${API_KEY_PREFIX}${sha256}` })
export const leadTypeKey = (owner: number, leadType: number): Key => ({ pk: `USER#${owner}`, sk: `LEADTYPE#${leadType}` })
export const LEAD_TYPE_PREFIX = 'LEADTYPE#'
/** The lead type whose agent takes the calls to a number. */
export const inboundNumberKey = (number: string): Key => ({ pk: `INBOUND#${number}`, sk: 'INBOUND' })
/** The call that an agent reported under its own id to one of an owner's numbers. */
export const inboundCallKey = (owner: number, agent: string, providerCallId: string): Key => ({
  pk: `INBOUNDCALL#${owner}#${agent}#${providerCallId}`,
  sk: 'INBOUNDCALL',
})
export const agentKey = (agent: string): Key => ({ pk: `AGENT#${agent}`, sk: 'AGENT' })
export const subscriptionKey = (owner: number, subscription: number): Key => ({ pk: `USER#${owner}`, sk: `WEBHOOK#${subscription}` })
export const SUBSCRIPTION_PREFIX = 'WEBHOOK#'
/** A source of files. */
export const sourceKey = (owner: number, name: string): Key => ({ pk: `USER#${owner}`, sk: `SOURCE#${name}` })
export const ingestionUrlKey = (id: string): Key => ({ pk: `INGEST#${id}`, sk: 'INGEST' })
/** A lead found by a value of it: one item for each, so that nothing is contended and nothing overflows. */
const pointerSk = (lead: number): string => `LEAD#${String(lead).padStart(10, '0')}`
export const emailPointerKey = (owner: number, email: string, lead: number): Key => ({
  pk: `EMAIL#${owner}#${email.toLowerCase()}`,
  sk: pointerSk(lead),
})
export const externalIdPointerKey = (owner: number, externalId: string, lead: number): Key => ({
  pk: `EXT#${owner}#${externalId}`,
  sk: pointerSk(lead),
})
/** What upserts of one value tell each other by stands beside the pointers, so that one read shows both. */
export const GUARD_SK = 'UPSERT'
export const taskKey = (task: string): Key => ({ pk: `TASK#${task}`, sk: 'TASK' })
/** How an agent has been answering. */
export const breakerKey = (agent: string): Key => ({ pk: `AGENT#${agent}`, sk: 'BREAKER' })
export const litigatorKey = (hash: string): Key => ({ pk: `LITIGATOR#${hash}`, sk: 'LITIGATOR' })
/** Where calls are barred altogether. */
export const emergenciesKey: Key = { pk: 'CALLING', sk: 'EMERGENCIES' }
/** What an operator calls things by: the keys of a configuration file, and what they stand for. */
export const NAMES = 'OPERATOR'
export const nameKey = (kind: string, keys: readonly string[]): Key => ({ pk: NAMES, sk: [kind, ...keys].join('#') })
export const idsKey: Key = { pk: 'SEQUENCE', sk: 'IDS' }
/** Who asks: a user, or whoever comes to an ingestion URL without a token. */
export type Asker = number | `INGEST#${string}`
export const askerAt = (ingestionUrl: string): Asker => `INGEST#${ingestionUrl}`
export const idempotencyKey = (asker: Asker, sha256: string): Key => ({ pk: `IDEMPOTENCY#${asker}#${sha256}`, sk: 'IDEMPOTENCY' })
export const throttleKey = (asker: Asker): Key => ({ pk: `THROTTLE#${asker}`, sk: 'THROTTLE' })
export const positionsKey = (owner: number): Key => ({ pk: `POSITIONS#${owner}`, sk: 'POSITIONS' })
/** What each list request reads of an owner's positions stands under sort keys that begin with this: one read. */
export const POSITIONS_PREFIX = 'POSITIONS'
export const holeTotalsKey = (owner: number): Key => ({ pk: `POSITIONS#${owner}`, sk: 'POSITIONS#HOLES' })
export const holeGroupKey = (owner: number, group: number): Key => ({ pk: `POSITIONS#${owner}`, sk: `HOLEGROUP#${group}` })
export const holesKey = (owner: number, block: number): Key => ({ pk: `POSITIONS#${owner}`, sk: `HOLES#${block}` })

export const blockOf = (position: number): number => Math.floor(position / POSITIONS_PER_BLOCK)
export const groupOf = (block: number): number => Math.floor(block / BLOCKS_PER_GROUP)
export const ownerBlock = (owner: number, block: number): string => `OWNER#${owner}#${block}`

/** The id of a call tells its lead and attempt, so that it is the same however often the attempt is begun. */
export const callId = (lead: number, attempt: number): string => `${lead}-${attempt}`

/** @returns undefined when the text is no call id. */
export const parseCallId = (text: string): { lead: number; attempt: number } | undefined => {
  const [, lead, attempt] = /^([1-9]\d{0,9})-([1-9]\d{0,5})$/.exec(text) ?? []
  return lead && attempt ? { lead: Number(lead), attempt: Number(attempt) } : undefined
}

type DueList = Exclude<(typeof DUE_LISTS)[number], 'HELD'>

/** Partition of the due index in which a lead stands. */
export const dueKey = (list: DueList, owner: number, lead: number): string =>
  list === 'CALL' ? `CALL#${lead % DUE_SHARDS}` : `${list}#${owner}`
export const heldKey = (agent: string): string => `HELD#${agent}`
export const watchKey = (lead: number): string => `WATCH#${lead % DUE_SHARDS}`
export const WAITERS = 'WAITERS'
/** Partition of the due index with the owners whose parked leads are being sent on. */
export const UNPARKING = 'UNPARKING'
/** Partition of the due index with the agents that are not trusted, or were not a moment ago. */
export const BREAKERS = 'BREAKERS'

/** What must be looked at when a promised call is late: one item a promise. */
export const CALLBACK_TIMER_PREFIX = 'TIMER#CALLBACK#'
export const callbackTimerKey = (lead: number, promised: Instant): Key => ({
  pk: `LEAD#${lead}`,
  sk: `${CALLBACK_TIMER_PREFIX}${new Date(promised).toISOString()}`,
})

/** @throws Error when the key is not a callback timer's. */
export const parseCallbackTimerSk = (sk: string): Instant => {
  const promised = Date.parse(sk.slice(CALLBACK_TIMER_PREFIX.length))
  if (!sk.startsWith(CALLBACK_TIMER_PREFIX) || Number.isNaN(promised)) throw new Error(`Not the key of a callback timer: ${sk}`)
  return promised
}

/** How many partitions share a subscription's deliveries of a day, and the retries that will be due. */
export const DELIVERY_SHARDS = 4

/** What the key of a delivery is made of: the event's time and id, and the subscription that it goes to. */
export interface DeliveryParts {
  readonly subscription: number
  readonly shard: number
  readonly time: Instant
  readonly eventId: string
}

export const deliveryShard = (lead: number): number => lead % DELIVERY_SHARDS

/** The id of a delivery tells its key, and is the same however often its event arrives. */
export const deliveryId = ({ subscription, shard, time, eventId }: DeliveryParts): string => `${subscription}-${shard}-${time}-${eventId}`

/** @returns undefined when the text is no delivery id: nor is one longer than any event's, of which there could be no key. */
export const parseDeliveryId = (text: string): DeliveryParts | undefined => {
  const [, subscription, shard, time, eventId] = /^([1-9]\d{0,9})-(\d)-(\d{1,14})-(.{1,200})$/.exec(text) ?? []
  return subscription && shard && time && eventId
    ? { subscription: Number(subscription), shard: Number(shard), time: Number(time), eventId }
    : undefined
}

/** Partition of a subscription's deliveries of events of one day, in UTC. */
export const deliveryPartition = (subscription: number, shard: number, time: Instant): string =>
  `DELIVERY#${subscription}#${new Date(time).toISOString().slice(0, 10)}#${shard}`

/** How many deliveries of events of a day there are, those of a subscription beside each other. */
export const deliveryCountKey = (subscription: number, day: Instant): Key => ({
  pk: `DELIVERIES#${subscription}`,
  sk: new Date(day).toISOString().slice(0, 10),
})

export const deliveryKey = ({ subscription, shard, time, eventId }: DeliveryParts): Key => ({
  pk: deliveryPartition(subscription, shard, time),
  sk: `${new Date(time).toISOString()}#${eventId}`,
})

/** @throws Error when the key is not a delivery's. */
export const parseDeliveryKey = ({ pk, sk }: Key): DeliveryParts => {
  const [, subscription, shard] = /^DELIVERY#(\d+)#[\d-]+#(\d)$/.exec(pk) ?? []
  const [, iso, eventId] = /^([^#]+)#(.+)$/.exec(sk) ?? []
  const time = Date.parse(iso ?? '')
  if (!subscription || !shard || !eventId || Number.isNaN(time)) throw new Error(`Not the key of a delivery: ${pk} ${sk}`)
  return { subscription: Number(subscription), shard: Number(shard), time, eventId }
}

/** How a slow destination answers, and when its next attempt may begin. */
export const paceKey = (subscription: number): Key => ({ pk: `PACE#${subscription}`, sk: 'PACE' })

/** Partition of the due index in which a delivery's retry stands. */
export const retryKey = (shard: number): string => `WEBHOOK#${shard}`

/** How many partitions of the due index share the tasks that are not done. */
export const TASK_SHARDS = 4

export const taskShardKey = (shard: number): string => `TASK#${shard}`
/** Partition of the due index in which a task stands until it is done. Its id is random, and begins with hexadecimal digits. */
export const taskDueKey = (task: string): string => taskShardKey(Number.parseInt(task.slice(0, 2), 16) % TASK_SHARDS)

/** @throws Error when the key is not a task's. */
export const parseTaskPk = (pk: string): string => {
  const [, task] = /^TASK#(.+)$/.exec(pk) ?? []
  if (!task) throw new Error(`Not the key of a task: ${pk}`)
  return task
}

export const uploadKey = (upload: string): Key => ({ pk: `UPLOAD#${upload}`, sk: 'UPLOAD' })

/** How many partitions of the due index share the uploads that are not done. */
export const UPLOAD_SHARDS = 4

export const uploadShardKey = (shard: number): string => `UPLOAD#${shard}`
/** Partition of the due index in which an upload stands until it is done. Its id is random, and begins with hexadecimal digits. */
export const uploadDueKey = (upload: string): string => uploadShardKey(Number.parseInt(upload.slice(0, 2), 16) % UPLOAD_SHARDS)

/** @throws Error when the key is not an upload's. */
export const parseUploadPk = (pk: string): string => {
  const [, upload] = /^UPLOAD#(.+)$/.exec(pk) ?? []
  if (!upload) throw new Error(`Not the key of an upload: ${pk}`)
  return upload
}

/** Place in the due index: sorts by instant, and tells what a message needs without a read. */
export const dueAt = (instant: Instant, attempt: number, owner: number): string => `${new Date(instant).toISOString()}#${attempt}#${owner}`

/** The first place in the due index at or after an instant. */
export const dueFrom = (instant: Instant): string => new Date(instant).toISOString()

/** @throws Error when the text is no place in the due index. */
export const parseDueAt = (text: string): { instant: Instant; attempt: number; owner: number } => {
  const [iso = '', attempt, owner] = text.split('#')
  const parsed = { instant: Date.parse(iso), attempt: Number(attempt), owner: Number(owner) }
  if (Object.values(parsed).some(Number.isNaN)) throw new Error(`Not a place in the due index: ${text}`)
  return parsed
}

/** @throws Error when the key is not a pointer's. */
export const parsePointerSk = (sk: string): number => {
  const [, lead] = /^LEAD#0*(\d+)$/.exec(sk) ?? []
  if (!lead) throw new Error(`Not the key of a pointer: ${sk}`)
  return Number(lead)
}

/** The DNC group of a phone. @throws Error when the key is not a phone's. */
export const parsePhoneGroup = (pk: string): string => {
  const [, group] = /^PHONE#(.+)#[^#]+$/.exec(pk) ?? []
  if (!group) throw new Error(`Not the key of a phone: ${pk}`)
  return group
}

/** @throws Error when the key is not an agent's. */
export const parseAgentPk = (pk: string): string => {
  const [, agent] = /^AGENT#(.+)$/.exec(pk) ?? []
  if (!agent) throw new Error(`Not the key of an agent: ${pk}`)
  return agent
}

/** @throws Error when the key is not a lead's or a call's. */
export const parseLeadPk = (pk: string): number => {
  const lead = Number(pk.replace(/^LEAD#/, ''))
  if (!Number.isInteger(lead)) throw new Error(`Not the key of a lead: ${pk}`)
  return lead
}
