import * as v from 'valibot'
import { readState } from '../domain/location/state.ts'
import { cached } from './cached.ts'
import { emergenciesKey } from './keys.ts'
import { getItem, putItem } from './table.ts'

/** Short: an operator who declares one wants the calls to stop. */
const CACHE_SECONDS = 10

const Emergencies = v.object({ jurisdictions: v.array(v.string()) })

/** As they are at this moment. Strongly consistent. */
export const readEmergencies = async (): Promise<ReadonlySet<string>> =>
  new Set((await getItem(Emergencies, emergenciesKey))?.jurisdictions)

const load = cached(CACHE_SECONDS, (_: 'all') => readEmergencies())

/** Jurisdictions in which a declared emergency bars all calls, by the operator's word. */
export const getEmergencies = async (): Promise<ReadonlySet<string>> => (await load('all')) ?? new Set()

const codeOf = (said: string): string => {
  const { value, remark } = readState(said)
  if (value === undefined) throw new Error(`No emergency can be declared: ${remark ?? 'a jurisdiction is blank.'}`)
  return value
}

/** Declares emergencies, and ends all others. @param jurisdictions their codes or names @throws Error when one of them is none */
export const saveEmergencies = async (jurisdictions: readonly string[]): Promise<void> =>
  putItem({ ...emergenciesKey, jurisdictions: [...new Set(jurisdictions.map(codeOf))] })
