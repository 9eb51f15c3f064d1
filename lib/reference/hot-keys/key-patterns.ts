import {
  CHANGE_SHARDS,
  DELIVERY_SHARDS,
  dueKeys,
  FORMER_DUE_KEYS,
  linePartitions,
  MARKED_KEYS,
  OWNERS_KEYS,
  RETRY_KEYS,
  TASK_KEYS,
  UPLOAD_SHARDS,
  WATCH_SHARDS,
} from '#shared/platform/keys.ts'

/** Partition keys of one form, in the table or in one of its indexes. */
export interface KeyPattern {
  /** `{owner}` stands for a value. In an index, its name comes first. */
  readonly name: string
  /** Partitions that share the load of one owner, agent or deployment. */
  readonly partitions: number
  /** The key is of one lead or person, so it takes only that one's operations. */
  readonly isOfLead: boolean
  /** An operation of a lead loads the key, or one of several such keys. So its units count for each key. */
  readonly isCountedByKey: boolean
}

const OWNERS_LINES = linePartitions(1, 1000).length

const shared = (name: string, partitions = 1): KeyPattern => ({ name, partitions, isOfLead: false, isCountedByKey: false })
const ofLead = (name: string): KeyPattern => ({ name, partitions: 1, isOfLead: true, isCountedByKey: true })
/** A key of a value of a lead. An owner may give all leads the same value. */
const ofValue = (name: string): KeyPattern => ({ name, partitions: 1, isOfLead: false, isCountedByKey: true })

/** Every form of a partition key. The first match counts. */
export const KEY_PATTERNS: readonly KeyPattern[] = [
  ofLead('LEAD#{lead}'),
  ofLead('PERSON#{owner}#{phone}'),
  ofLead('PHONE#{group}#{hash}'),
  ofLead('LITIGATOR#{hash}'),
  ofLead('ERASURE#{hash}'),
  ofLead('REASSIGNED#{hash}'),
  ofLead('REGISTRY#{list}#{version}#{block}'),
  ofLead('INBOUNDCALL#{owner}#{agent}#{call}'),
  ofLead('CONSENT#{owner}#{phone}'),
  ofLead('TASK#LEAD#{lead}'),
  ofLead('TASK#{task}'),
  ofLead('DELIVERY#LEAD#{lead}'),
  ofLead('COUNTED#{record}'),
  ofLead('IDEMPOTENCY#PHONE#{phone}'),
  ofLead('IDEMPOTENCY#{user}#{hash}'),
  ofValue('EMAIL#{owner}#{email}'),
  ofValue('EXT#{owner}#{external id}'),
  shared('DELIVERY#{subscription}#{day}#{shard}', DELIVERY_SHARDS),
  shared('PACE#{subscription}'),
  shared('USER#{user}'),
  shared('KEY#{hash}'),
  shared('THROTTLE#{user}'),
  shared('INGEST#{url}'),
  shared('UPLOAD#{upload}'),
  shared('POSITIONS#{owner}'),
  shared('STATS#{owner}'),
  shared('LINES#{owner}#{shard}', OWNERS_LINES),
  shared('LINES#{owner}'),
  shared('DNCGROUP#{group}'),
  shared('INBOUND#{number}'),
  shared('AGENT#{agent}'),
  shared('SEQUENCE'),
  shared('CALLING'),
  shared('REGISTRIES'),
  shared('REGISTRY#{list}'),
  shared('REGISTRYIMPORTS'),
  shared('OPERATOR'),
  shared('by_owner OWNER#{owner}#{block}'),
  shared('by_owner DELIVERY#{subscription}#{day}#{shard}', DELIVERY_SHARDS),
  shared('by_owner UPLOADS#{owner}'),
  shared('by_due DUE#{owner}#{shard}', dueKeys(1).length),
  shared('by_due HELD#{holder}#{owner}'),
  shared('by_due HELD#{holder}'),
  shared('by_due WATCH#{shard}', WATCH_SHARDS),
  shared('by_due WEBHOOK#{shard}', RETRY_KEYS.length),
  shared('by_due FAILED#{subscription}#{shard}', DELIVERY_SHARDS),
  shared('by_due UPLOAD#{shard}', UPLOAD_SHARDS),
  shared('by_due TASK#{shard}', TASK_KEYS.length),
  shared('by_due OWNERS#{shard}', OWNERS_KEYS.length),
  shared('by_due BREAKERS'),
  shared('by_due MARKED#{shard}', MARKED_KEYS.length),
  shared('by_due PARTS'),
  shared('by_due CALL#{shard}', FORMER_DUE_KEYS.length),
  shared('by_due WAIT#{owner}'),
  shared('by_due PARKED#{owner}'),
  shared('by_change CHANGES#{owner}#{lead type}#{status}#{shard}', CHANGE_SHARDS),
]

const EXPRESSIONS = KEY_PATTERNS.map((pattern) => ({
  pattern,
  // Only the last value may contain a separator.
  expression: new RegExp(`^${pattern.name.replace(/\{[^{}]+\}$/, '.+').replaceAll(/\{[^{}]+\}/g, '[^#]+')}$`),
}))

/** The form of a partition key; undefined when it has none of them. */
export const keyPatternOf = (partition: string): KeyPattern | undefined =>
  EXPRESSIONS.find(({ expression }) => expression.test(partition))?.pattern
