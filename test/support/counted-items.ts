import { callFromItem } from '#shared/calling/call-store.ts'
import { leadFromItem } from '#shared/leads/lead-store.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { attemptName, type CountedOutcome, callsName, contactsName } from '#shared/statistics/rules/counted.ts'
import { countedSource, sourceName } from '#shared/statistics/rules/source-name.ts'

type Item = Readonly<Record<string, unknown>>

/** Numbers by owner, day, lead type, source and name. */
type Numbers = Record<string, number>

export interface CountedItems {
  /** Counted over all leads and calls. */
  readonly expected: Numbers
  /** The numbers of the statistics. */
  readonly stored: Numbers
}

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

const outcomeOf = ({
  refused_time,
  completed_time,
  unknown_time,
  outcome,
}: ReturnType<typeof callFromItem>): CountedOutcome | undefined => {
  if (refused_time !== null) return 'FAILED'
  if (completed_time !== null) return outcome ?? 'UNKNOWN'
  return unknown_time === null ? undefined : 'UNKNOWN'
}

const ownerOf = (pk: string): number => Number(pk.split('#')[1])

/** Counts leads and calls item by item, in another way than the service does. */
export const countItems = (items: readonly Item[]): CountedItems => {
  const [expected, stored]: [Numbers, Numbers] = [{}, {}]
  const known = new Map<number, ReadonlySet<string>>()
  for (const { pk, sk, sources } of items) if (sk === 'SOURCES') known.set(ownerOf(`${pk}`), sources as Set<string>)
  const add = (owner: number, day: string, type: number | null, source: string, name: string) => {
    const key = [owner, day, type ?? '-', countedSource(sourceName(source), known.get(owner) ?? new Set()), name].join(' | ')
    expected[key] = (expected[key] ?? 0) + 1
  }
  for (const item of items) {
    const [pk, sk] = [`${item['pk']}`, `${item['sk']}`]
    if (sk === 'LEAD' && item['change_list'] !== undefined) {
      const { owner, lead_type, lead_source, status, created_time } = leadFromItem(item)
      add(owner, 'now', lead_type, lead_source, status)
      add(owner, dayOf(created_time), lead_type, lead_source, 'created')
    }
    if (pk.startsWith('LEAD#') && sk.startsWith('CALL#')) {
      const call = callFromItem(item)
      const { owner, lead_type, lead_source, intent_time, is_contact } = call
      const outcome = outcomeOf(call)
      if (outcome === undefined || lead_source === null) continue
      const [day, hour] = [dayOf(intent_time), new Date(intent_time).getUTCHours()]
      add(owner, day, lead_type, lead_source, callsName(hour, outcome))
      add(owner, day, lead_type, lead_source, attemptName(call.attempt))
      if (is_contact === true) add(owner, day, lead_type, lead_source, contactsName(hour))
    }
    const [, day, type, source] = /^(?:LEADS|DAY#([^#]+))#([^#]+)#(.*)$/s.exec(pk.startsWith('STATS#') ? sk : '') ?? []
    if (type === undefined) continue
    for (const [name, value] of Object.entries(item)) {
      if (typeof value === 'number' && value !== 0) stored[[ownerOf(pk), day ?? 'now', type, source, name].join(' | ')] = value
    }
  }
  return { expected, stored }
}

/** Reads the table of this process's environment and counts its items. */
export const countedItems = async (): Promise<CountedItems> => {
  const items: Item[] = []
  for await (const page of scanTable({ segments: 1 })) items.push(...page.items)
  return countItems(items)
}

/** A sentence for each number that differs. */
export const differencesIn = ({ expected, stored }: CountedItems): string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(stored)])]
    .filter((key) => (expected[key] ?? 0) !== (stored[key] ?? 0))
    .map((key) => `${key}: counted ${stored[key] ?? 0}, and there are ${expected[key] ?? 0}`)
