import * as v from 'valibot'
import { MOST_SENT_PER_SECOND } from '#shared/backlog/rules/fill-turn.ts'
import { POSITIONS_PER_BLOCK } from '#shared/platform/keys.ts'
import { MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import { ROWS_OF_LANE } from '../ops/quotas/demand.ts'
import { count } from './costs/quantities.ts'
import { KEY_PATTERNS, type KeyPattern } from './hot-keys/key-patterns.ts'
import counted from './hot-keys/key-units.json' with { type: 'json' }
import { OPERATIONS } from './hot-keys/operations.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

/** Units that DynamoDB gives a partition key in a second, in the table and in an index. */
const LIMITS = { read: 3000, write: 1000 } as const
type Kind = keyof typeof LIMITS
const KINDS = ['read', 'write'] as const

const Units = v.object({ read: v.number(), write: v.number() })

/** Units of each operation, by pattern of the partition key. The simulation `hot-keys` counted them. */
export const KEY_UNITS = v.parse(v.record(v.string(), v.record(v.string(), Units)), counted)

interface Operation extends Pick<(typeof OPERATIONS)[number], 'name' | 'about' | 'rateOfLead'> {
  readonly rate: number
}

/** How often a second an operation loads one partition. */
const timesAt = ({ isOfLead, partitions }: KeyPattern, { rate, rateOfLead }: Operation): number =>
  (isOfLead ? rateOfLead : rate) / partitions

/** Units a second that an operation takes of one partition. */
const loadBy = (pattern: KeyPattern, operation: Operation, kind: Kind): number =>
  (KEY_UNITS[operation.name]?.[pattern.name]?.[kind] ?? 0) * timesAt(pattern, operation)

const loadOf = (pattern: KeyPattern, kind: Kind, operations: readonly Operation[] = OPERATIONS): number =>
  operations.reduce((sum, one) => sum + loadBy(pattern, one, kind), 0)

const shareOf = (pattern: KeyPattern): number => Math.max(...KINDS.map((kind) => loadOf(pattern, kind) / LIMITS[kind]))

/** The operations that make the most of a load. */
const mostOf = (pattern: KeyPattern, kind: Kind): string => {
  const loads = OPERATIONS.map((operation) => ({ about: operation.about, load: loadBy(pattern, operation, kind) }))
  const most = loads.filter(({ load }) => load >= loadOf(pattern, kind) / 5)
  return most.map(({ about, load }) => `${about}: ${count(Math.round(load))}`).join('; ')
}

/** Rows a second of one user's files, when the table has the capacity. */
const FASTEST_ROWS = MOST_LANES * ROWS_OF_LANE

/** The share of a key's limit for writes while files create leads at the highest rate. */
const shareWithFastRows = (name: string): string => {
  const pattern = KEY_PATTERNS.find((one) => one.name === name)
  if (!pattern) throw new Error(`There is no key ${name}.`)
  const operations = OPERATIONS.map((one) => (one.name === 'row' ? { ...one, rate: FASTEST_ROWS } : one))
  return percent(loadOf(pattern, 'write', operations) / LIMITS.write)
}

/** The share of the limit of a partition that further units of an operation would take. */
export const shareOfUnits = (units: number, pattern: KeyPattern, operation: Operation, kind: Kind): number =>
  (units * timesAt(pattern, operation)) / LIMITS[kind]

const HUNDRED = 100
/** Keys below this share of their limit are only named. */
const NAMED_BELOW = 0.01

const percent = (share: number): string => `${Math.round(HUNDRED * share)} %`

const loadCells = (pattern: KeyPattern, kind: Kind): string[] => {
  const load = loadOf(pattern, kind)
  return load < LIMITS[kind] * NAMED_BELOW ? ['', ''] : [count(Math.round(load)), percent(load / LIMITS[kind])]
}

const keyRow = (pattern: KeyPattern): string[] => {
  const share = shareOf(pattern)
  const kind = loadOf(pattern, 'write') / LIMITS.write === share ? 'write' : 'read'
  return [
    code(pattern.name),
    count(pattern.partitions),
    ...KINDS.flatMap((each) => loadCells(pattern, each)),
    `× ${(1 / share).toFixed(1)}`,
    mostOf(pattern, kind),
  ]
}

const sumOf = (operation: string, kind: Kind): string =>
  count(Math.round(10 * Object.values(KEY_UNITS[operation] ?? {}).reduce((sum, units) => sum + units[kind], 0)) / 10)

const often = (rate: number): string => (rate < 1 ? `${Math.round(60 * rate)} a minute` : `${count(rate)} a second`)

/** The load of each partition key at the target scale. */
export const hotKeysPage = (): string => {
  const sorted = KEY_PATTERNS.toSorted((one, other) => shareOf(other) - shareOf(one))
  const [loaded, idle] = [sorted.filter((key) => shareOf(key) >= NAMED_BELOW), sorted.filter((key) => shareOf(key) < NAMED_BELOW)]
  return markdownPage(
    '# Hot keys',
    `A partition key of the table or of an index takes ${count(LIMITS.write)} write units and ${count(LIMITS.read)} read units a second. This
page shows the load of each kind of key at the target scale: an owner with 10,000 lines starts 500 calls a second, gets
1,000 webhooks a second, and 1,000,000 leads within an hour. A run of the functions counts the units of each key on a model of the table, and
a test counts them again. After a change, run \`npm run simulate -- hot-keys\` and \`npm run generate\`.`,
    '## Load',
    `The load of a key is the sum of its operations: units × rate ÷ partitions. A key of an index begins with the name of the index. The
headroom is the factor by which the whole load may grow before the key reaches its limit. Keys that name nobody's data, such as
\`by_due WEBHOOK#{shard}\`, serve all owners together: with two such owners, their load is twice as high.`,
    markdownTable(
      ['Key', 'Partitions', 'Reads a second', 'Share of 3,000', 'Writes a second', 'Share of 1,000', 'Headroom', 'Most of the load'],
      loaded.map(keyRow),
    ),
    `These keys stay below ${percent(NAMED_BELOW)} of their limit, or the operations do not use them: ${idle.map(({ name }) => code(name)).join(', ')}.`,
    '## Operations',
    markdownTable(
      ['Operation', 'Rate', 'Rate for the keys of one lead', 'Read units', 'Write units'],
      OPERATIONS.map(({ name, about, rate, rateOfLead }) => [
        about,
        often(rate),
        often(rateOfLead),
        sumOf(name, 'read'),
        sumOf(name, 'write'),
      ]),
    ),
    `The table leaves out that functions read an owner's settings every ten seconds. In addition, 100 events a second go to a
destination that fails for a day. Each of these events is retried up to nine times. A key of one lead or phone gets only the
operations of this lead or phone. Each event of a lead goes to 100 subscriptions. [Costs](costs.md) counts more units for the same operation:
there, each operation comes alone. Here, many come together, and share the writes of ids and statistics.`,
    `\`EMAIL#{owner}#{email}\` and \`EXT#{owner}#{external id}\` count as if all new and changed leads of the owner had the same value, such as a
placeholder for an unknown email. Nothing spreads the load of such a value. When its key reaches the limit, DynamoDB refuses further writes of
it, and bulk work [slows down](../operate.md#when-the-table-is-busy). If each lead has its own value, each of these keys has a
load of about 1 % of its limit, or less.`,
    `Some keys can take more than the table shows. If the table has the capacity, a user's files create up to ${count(FASTEST_ROWS)} leads a
second. Then \`by_due DUE#{owner}#{shard}\` takes ${shareWithFastRows('by_due DUE#{owner}#{shard}')} of its limit, and
\`POSITIONS#{owner}\` takes ${shareWithFastRows('POSITIONS#{owner}')}. For a moment,
\`by_owner OWNER#{owner}#{block}\` may reach its limit. It needs no more: after ${count(POSITIONS_PER_BLOCK)} leads, the next ones go to another partition.
If an agent is down and its leads come before callable ones, up to ${count(MOST_SENT_PER_SECOND)} of them are held each second. They are released
later. So \`by_due HELD#{holder}#{owner}\` never has its loads of holding and releasing at the same time.`,
  )
}
