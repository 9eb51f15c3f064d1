import { allNames, type Name } from '#shared/accounts/names.ts'
import { allOwners } from '#shared/backlog/owners.ts'
import { now } from '#shared/platform/clock.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { representPart, representStatistics } from '#shared/statistics/api/statistics.ts'
import { COUNTED_ATTEMPTS } from '#shared/statistics/rules/counted.ts'
import { faultOfPeriod, type Period, periodAsked } from '#shared/statistics/rules/period.ts'
import { statisticsOf } from '#shared/statistics/rules/totals.ts'
import { countsOf } from '#shared/statistics/statistics-store.ts'
import { counted, type Output, table } from './output.ts'
import { OpsMistake } from './refusal.ts'

/** Users that are read at the same time. */
const LANES = 8

const ALL = { leadType: undefined, source: undefined }

type Part = Omit<ReturnType<typeof representPart>, 'leads'> & { readonly leads?: number }

const percent = (rate: number | null): string => (rate === null ? '' : `${(100 * rate).toFixed(1)} %`)

const NUMBERS = ['created', 'calls', 'failed', 'contacts', 'transfers', 'contact rate', 'transfer rate']

const numbersOf = ({ created, calls, failed, contacts, transfers, contact_rate, transfer_rate }: Part) => [
  ...[created, calls, failed, contacts, transfers],
  ...[percent(contact_rate), percent(transfer_rate)],
]

const isEmpty = ({ leads = 0, created, calls }: Part): boolean => leads === 0 && created === 0 && calls === 0

/** A table of the parts that have any leads or calls. */
const parts = <P extends Part>(columns: readonly string[], all: readonly P[], nameOf: (part: P) => readonly string[]): string => {
  const rows = all
    .filter((part) => !isEmpty(part))
    .map((part) => [...nameOf(part), ...(part.leads === undefined ? [] : [part.leads]), ...numbersOf(part)])
  return table([...columns, ...NUMBERS], rows, '')
}

/** A table of two columns, with the numbers that are not zero. */
const numbers = (columns: readonly [string, string], all: Readonly<Record<string, number>> | readonly number[]): string =>
  table(
    columns,
    Object.entries(all).filter(([, number]) => number !== 0),
    '',
  )

const attemptText = (attempt: number): string => (attempt === COUNTED_ATTEMPTS ? `${attempt} and later` : `${attempt}`)

/** The operators' name of a lead type: `acme/solar`. */
const keyOf = (names: readonly Name[], kind: string, id: number | null): string =>
  names.find((name) => name.kind === kind && Number(name.id) === id)?.keys.join('/') ?? ''

const ownersOf = async (names: readonly Name[]): Promise<number[]> => {
  const named = names.filter(({ kind }) => kind === 'USER').map(({ id }) => Number(id))
  return [...new Set([...(await allOwners()), ...named])].toSorted((one, other) => one - other)
}

/**
 * Prints the statistics of a period.
 * @param owner undefined: of all users
 * @throws OpsMistake when the period is empty or too long
 */
export const showReport = async (owner: number | undefined, days: Partial<Period>, output: Output): Promise<void> => {
  const period = periodAsked(days, now())
  const fault = faultOfPeriod(period)
  if (fault) throw new OpsMistake(`--${fault.name}: ${fault.message}`)
  const names = await allNames()
  const owners = owner === undefined ? await ownersOf(names) : [owner]
  const found = await inLanes(LANES, owners, async (each) => ({ owner: each, groups: await countsOf(each, period) }))
  const all = statisticsOf(
    found.flatMap(({ groups }) => groups),
    period,
    ALL,
  )
  const shown = representStatistics(all)
  const users = found.map(({ owner: each, groups }) => ({
    user: each,
    key: keyOf(names, 'USER', each) || null,
    ...representPart(statisticsOf(groups, period, ALL).all),
  }))
  const { calls } = shown
  const text = (): string =>
    [
      `${period.from} to ${period.to}, in UTC: ${counted(shown.leads.total, 'lead')} now, ${shown.created} created; ${counted(calls.total, 'call')}, ${counted(calls.contacts, 'contact')}, ${counted(calls.transfers, 'transfer')}.`,
      numbers(['status', 'leads'], shown.leads.by_status),
      numbers(['outcome', 'calls'], calls.by_outcome),
      numbers(['hour', 'calls'], calls.by_hour),
      numbers(['attempt', 'calls'], Object.fromEntries(calls.by_attempt.map((count, index) => [attemptText(index + 1), count]))),
      parts(['day'], shown.by_day, ({ date }) => [date]),
      parts(['lead type', 'key', 'leads'], shown.by_lead_type, ({ lead_type }) => [
        `${lead_type ?? ''}`,
        keyOf(names, 'LEADTYPE', lead_type),
      ]),
      parts(['lead source', 'leads'], shown.by_lead_source, ({ lead_source }) => [lead_source]),
      owner === undefined ? parts(['user', 'key', 'leads'], users, ({ user, key }) => [`${user}`, key ?? '']) : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n')
  output.show(owner === undefined ? { ...shown, by_user: users } : shown, text)
}
