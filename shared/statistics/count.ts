import { now } from '../platform/clock.ts'
import { countedRecordKey, dayCountsKey, type Key, leadCountsKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import { DAY } from '../platform/values/durations.ts'
import { sourcesWith } from './counted-sources.ts'
import { type CountChange, netChanges } from './rules/changes.ts'
import { groupForTransactions } from './rules/group-for-transactions.ts'
import { countedSource } from './rules/source-name.ts'
import type { CountedRecord } from './rules/stream-record.ts'

/** A record is delivered again for at most 24 hours, because then the stream drops it. */
const MARKER_KEPT = 2 * DAY

/** Writes of one transaction. */
const MOST_WRITES = 100

const TRIES = 50
/** Milliseconds. Several shards of the stream count for the same owner at the same time. */
const PAUSE = 20

const keyOf = ({ owner, day, ...group }: CountChange): Key => (day === null ? leadCountsKey(owner, group) : dayCountsKey(owner, day, group))

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`

/** Each source by the name under which it is counted. */
const withCountedSources = async (records: readonly CountedRecord[]): Promise<CountedRecord[]> => {
  const changes = records.flatMap((record) => record.changes)
  const known = new Map<number, ReadonlySet<string>>()
  for (const [owner, theirs] of Map.groupBy(changes, (change) => change.owner)) {
    known.set(owner, await sourcesWith(owner, new Set(theirs.map(({ source }) => source))))
  }
  const renamed = (change: CountChange): CountChange => ({
    ...change,
    source: countedSource(change.source, known.get(change.owner) ?? new Set()),
  })
  return records.map(({ eventId, changes: own }) => ({ eventId, changes: netChanges(own.map(renamed)) }))
}

const marker = ({ eventId }: CountedRecord): Write => ({
  put: { ...countedRecordKey(eventId), expires_at: expiresAt(now(), MARKER_KEPT) },
  condition: 'attribute_not_exists(pk)',
})

const addition = (changes: readonly [CountChange, ...CountChange[]]): Write => ({
  update: keyOf(changes[0]),
  expression: `ADD ${changes.map((_, index) => `#n${index} :n${index}`).join(', ')}`,
  names: Object.fromEntries(changes.map(({ name }, index) => [`#n${index}`, name])),
  values: Object.fromEntries(changes.map(({ by }, index) => [`:n${index}`, by])),
})

/** A marker for each record, in their order, and then the sums of their changes. */
const writesOf = (records: readonly CountedRecord[]): Write[] => {
  const byItem = Map.groupBy(netChanges(records.flatMap(({ changes }) => changes)), (change) => nameOf(keyOf(change)))
  const additions = [...byItem.values()].flatMap(([first, ...rest]) => (first ? [addition([first, ...rest])] : []))
  return [...records.map(marker), ...additions]
}

/** Counts records that one transaction can count, except those that were counted before. */
const countTogether = async (records: readonly CountedRecord[]): Promise<void> => {
  let left = records
  await retryRaces({ tries: TRIES, lost: 'The counts changed while records were counted,', pause: PAUSE, isGrowing: true }, async () => {
    if (left.length === 0) return true
    const result = await transact(writesOf(left))
    if (result.committed) return true
    left = left.filter((_, index) => !result.refused.includes(index))
    return undefined
  })
}

/**
 * Counts stream records. Each record counts once, however often it is delivered: the transaction that counts it also writes its marker.
 */
export const countRecords = async (records: readonly CountedRecord[]): Promise<void> => {
  const once = new Map(records.filter(({ changes }) => changes.length > 0).map((record) => [record.eventId, record]))
  const counted = (await withCountedSources([...once.values()])).filter(({ changes }) => changes.length > 0)
  const sized = counted.map((record) => ({ ...record, items: new Set(record.changes.map((change) => nameOf(keyOf(change)))) }))
  for (const group of groupForTransactions(sized, MOST_WRITES)) await countTogether(group)
}
