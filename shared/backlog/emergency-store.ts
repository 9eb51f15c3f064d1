import * as v from 'valibot'
import { readUsState } from '../location/rules/state.ts'
import { now } from '../platform/clock.ts'
import { emergenciesKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem } from '../platform/table/table.ts'
import { transact } from '../platform/table/transactions.ts'
import { markChanged } from './marks.ts'
import { emergencyHolder } from './rules/holders.ts'

const Emergencies = v.object({ jurisdictions: v.array(v.string()) })

/** The declared emergencies, read without the cache. Strongly consistent. */
export const readEmergencies = async (): Promise<ReadonlySet<string>> =>
  new Set((await getItem(Emergencies, emergenciesKey))?.jurisdictions)

const load = cached((_: 'all') => readEmergencies())

/** Jurisdictions in which an emergency, declared by the operator, bars all calls. */
export const getEmergencies = async (): Promise<ReadonlySet<string>> => (await load('all')) ?? new Set()

const codeOf = (said: string): string => {
  const { value, remark } = readUsState(said)
  if (value === undefined) throw new Error(`The emergency cannot be declared: ${remark ?? 'a jurisdiction is blank.'}`)
  return value
}

/** Races come from others that write the emergencies, or look at the leads that one holds. */
const MAX_TRIES = 20

/**
 * Declares these emergencies and ends all others. The sweep then plans again the leads that the ended ones held.
 * @param jurisdictions their codes or names
 * @throws Error when one of them is no jurisdiction
 */
export const saveEmergencies = async (jurisdictions: readonly string[]): Promise<void> => {
  const declared = [...new Set(jurisdictions.map(codeOf))]
  await retryRaces({ tries: MAX_TRIES, lost: 'The emergencies were being written by others' }, async () => {
    const before = (await getItem(Emergencies, emergenciesKey))?.jurisdictions
    const put = { ...emergenciesKey, jurisdictions: declared }
    const asRead = before
      ? { condition: 'jurisdictions = :before', values: { ':before': before } }
      : { condition: 'attribute_not_exists(pk)' }
    const ended = (before ?? []).filter((jurisdiction) => !declared.includes(jurisdiction))
    const marks = ended.map((jurisdiction) => markChanged(emergencyHolder(jurisdiction), now()))
    return (await transact([{ put, ...asRead }, ...marks])).committed || undefined
  })
}
