import { allNames } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { type DueEntry, dueBetween } from '#shared/backlog/due.ts'
import { allToLookAt } from '#shared/backlog/marks.ts'
import { allOwners } from '#shared/backlog/owners.ts'
import { accountHolder, leadTypeHolder, listsOf, pauseHolder } from '#shared/backlog/rules/holders.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getReadableLeads } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { dueKeys, heldKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { unlessMalformed } from '../check/scan/items.ts'
import { counted, type Output, table } from '../output.ts'

/** Most entries that are read of one list. */
const MOST = 100_000
/** Most leads that are shown one by one. */
const SHOWN = 200
const LANES = 8

type List = 'due' | 'held'

interface Listed extends DueEntry {
  readonly list: List
}

/** The first `most` entries of a list. */
const read = async (list: List, key: string, until: number, most: number): Promise<Listed[]> =>
  (await dueBetween(key, 0, until, most)).map(({ lead, attempt, owner, instant }) => ({ list, lead, attempt, owner, instant }))

interface AllListed {
  /** Keys of users, by id. */
  readonly keyOf: ReadonlyMap<number, string>
  readonly entries: readonly Listed[]
  /** Whether no list reached the limit of entries. */
  readonly isComplete: boolean
}

/** Reads the lists of one owner, or of all owners. */
const listedUntil = async (until: number, owner: number | undefined, most: number): Promise<AllListed> => {
  const names = await allNames()
  const named = (kind: string) => names.filter((name) => name.kind === kind).map(({ id }) => id)
  const [all, broken] = await Promise.all([allOwners(), allToLookAt(until + DAY, most)])
  const owners = owner === undefined ? [...new Set([...all, ...named('USER').map(Number)])] : [owner]
  // Emergencies, litigators, do-not-call registries and reassigned numbers also hold leads. The lead itself shows that.
  const settings = [
    ...named('LEADTYPE').map((id) => leadTypeHolder(Number(id))),
    ...owners.flatMap((each) => [accountHolder(each), pauseHolder(each)]),
  ]
  const holders = [...new Set([...broken.map(({ agent }) => agent), ...named('AGENT').map(String), ...settings])]
  const lists = holders.flatMap((holder) => listsOf(holder, owners))
  const [due, held] = await Promise.all([
    inLanes(LANES, owners.flatMap(dueKeys), (key) => read('due', key, until, most)),
    inLanes(LANES, lists, (name) => read('held', heldKey(name), until, most)),
  ])
  const parts = [...due, ...held]
  const theirs = parts.flat().filter((entry) => owner === undefined || entry.owner === owner)
  const isComplete = [...parts, broken].every(({ length }) => length < most)
  const keyOf = new Map(names.flatMap(({ kind, keys: [key], id }) => (kind === 'USER' && key !== undefined ? [[Number(id), key]] : [])))
  return { keyOf, entries: theirs.toSorted((a, b) => a.instant - b.instant), isComplete }
}

const iso = (instant: number): string => new Date(instant).toISOString()

interface Named {
  readonly owner: number
  readonly key: string | null
  readonly name: string | null
}

const summaryOf = (named: Named, entries: readonly Listed[], at: number) => {
  const calls = entries.filter(({ list }) => list === 'due').map(({ instant }) => instant)
  return {
    ...named,
    overdue: calls.filter((instant) => instant < at).length,
    due: calls.filter((instant) => instant >= at).length,
    first: calls[0] === undefined ? null : iso(calls[0]),
    last: calls.length === 0 ? null : iso(calls.at(-1) ?? 0),
    held: entries.filter(({ list }) => list === 'held').length,
  }
}

const nameOf = async (owner: number): Promise<string | null> => (await unlessMalformed(() => readUser(owner)))?.name ?? null

const callOf = ({ instant, lead: id, attempt, list }: Listed, lead: Lead | undefined) => ({
  time: iso(instant),
  lead: id,
  attempt,
  list,
  phone_number: lead?.phone_number ?? null,
  reason: lead?.next_call_time_reason ?? null,
})

const SUMMARY = ['owner', 'key', 'name', 'overdue', 'due', 'first', 'last', 'held']
const CALLS = ['time', 'lead', 'attempt', 'list', 'phone number', 'reason']

/**
 * @param owner shows each call of this user; undefined: counts for all users
 * @param within how far ahead, in milliseconds
 * @param most entries that are read per list; the output says when a list is longer
 */
export const showDue = async (owner: number | undefined, within: number, output: Output, most = MOST): Promise<void> => {
  const at = now()
  const until = at + within
  const { keyOf, entries, isComplete } = await listedUntil(until, owner, most)
  const owners = [...Map.groupBy(entries, (entry) => entry.owner)].toSorted(([a], [b]) => a - b)
  const summaries = await inLanes(LANES, owners, async ([each, theirs]) => {
    return summaryOf({ owner: each, key: keyOf.get(each) ?? null, name: await nameOf(each) }, theirs, at)
  })
  const shown = owner === undefined ? [] : entries.slice(0, SHOWN)
  const { leads } = await getReadableLeads(shown.map(({ lead }) => lead))
  const calls = shown.map((entry) => callOf(entry, leads.get(entry.lead)))
  const summary = () =>
    table(
      SUMMARY,
      summaries.map((each) => [
        each.owner,
        each.key ?? '',
        each.name ?? '',
        each.overdue,
        each.due,
        each.first ?? '',
        each.last ?? '',
        each.held,
      ]),
      `No calls are planned until ${iso(until)}.`,
    )
  const list = () =>
    table(
      CALLS,
      calls.map((call) => [call.time, call.lead, call.attempt, call.list, call.phone_number ?? '', call.reason ?? '']),
      '',
    )
  if (!isComplete)
    output.note(
      `Only the first ${counted(most, 'entry', 'entries')} of each list were read. At least one list is longer, so the output is incomplete.`,
    )
  output.show({ at: iso(at), until: iso(until), complete: isComplete, owners: summaries, ...(owner !== undefined && { calls }) }, () =>
    [summary(), ...(calls.length > 0 ? [list()] : []), ...(entries.length > shown.length && owner !== undefined ? ['…'] : [])].join('\n\n'),
  )
}
