import type { LeadType } from '../../../accounts/configuration.ts'
import { isEnough } from '../../../consents/consent.ts'
import { isFromClient } from '../../../leads/rules/field-times.ts'
import { isInternational, stateOfAreaCode } from '../../../location/rules/locate.ts'
import { DAY } from '../../../platform/values/durations.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { pastDay } from '../../../reassigned/rules/days.ts'
import { areaCodeOf, isListTooOld, type RegistryFinding, stateOfList } from '../../../registries/registry.ts'
import { possiblePlaces } from '../duties/disclosures-at.ts'
import { type GateInputs, type Verdict, verdict } from '../verdict.ts'
import { openingOnDay } from './coming-day.ts'
import { type ConsentInputs, consentGiven, hasProof, isAfterRevocation, lastRevocation } from './consent.ts'

/** The lists that count for a lead: of the whole country, and of each state in which the lead may be. */
export const registriesFor = ({ lead, leadType, policy }: Pick<GateInputs, 'lead' | 'leadType' | 'policy'>): readonly string[] => {
  const lists = leadType?.registries?.lists ?? []
  if (lists.length === 0 || isInternational(lead)) return []
  const places = new Set(['federal', ...possiblePlaces(lead, policy).map(({ jurisdiction }) => jurisdiction)])
  return lists.filter((list) => places.has(stateOfList(list) ?? 'federal'))
}

type RegistryInputs = ConsentInputs & Pick<GateInputs, 'registries' | 'now'>

/**
 * An exemption needs a written consent that names the seller: 47 CFR 64.1200(c)(2)(ii). A proof in the metadata has no date, so it does not
 * count after a revocation.
 */
const consented = (inputs: RegistryInputs, leadType: LeadType): string | undefined => {
  const given = consentGiven(inputs)
  if (given && isEnough(given.type, 'written_seller')) return 'A written consent that names the seller is recorded for the phone.'
  return lastRevocation(inputs) === null && hasProof(inputs.lead, leadType) ? 'The metadata proves consent.' : undefined
}

/** Why a listed lead may be called; undefined when it may not. */
const exemptionOf = (inputs: RegistryInputs, leadType: LeadType): string | undefined => {
  const { lead, now } = inputs
  const { exemption = 'none', relationship_field: field = null, relationship_days = 0 } = leadType.registries ?? {}
  if (exemption === 'consent') return consented(inputs, leadType)
  if (exemption === 'none' || field === null) return undefined
  const day = pastDay(Object.hasOwn(lead.metadata, field) && isFromClient(lead, field) ? lead.metadata[field] : undefined, now)
  if (day === undefined || !isAfterRevocation(day, inputs)) return undefined
  return (now - Date.parse(day)) / DAY <= relationship_days
    ? `The metadata field ${field} has a date of the last ${relationship_days} days.`
    : undefined
}

const NATIONAL_RULE = { rule: 'national do-not-call registry', citation: '47 CFR 64.1200(c)(2)' }

/** Whether a list should have numbers with the area code of a phone, and has none: probably, a file was not imported. */
const lacksAreaCode = ({ list, area_codes }: RegistryFinding, phoneNumber: string): boolean => {
  if (area_codes === null || area_codes.includes(areaCodeOf(phoneNumber))) return false
  const state = stateOfList(list)
  return state === undefined || state === stateOfAreaCode(phoneNumber)
}

/** Why a list stops every call that it counts for. Undefined: it is as new as it must be. */
export const outOfUse = ({ list, as_of }: Pick<RegistryFinding, 'list' | 'as_of'>, now: Instant) => {
  if (as_of === null) return { code: 'MISSING', detail: `The do-not-call list ${list} was never imported.` }
  return isListTooOld(as_of, now)
    ? { code: 'TOO_OLD', detail: `The do-not-call list ${list} of ${as_of} is older than 31 days.` }
    : undefined
}

const refusal = (finding: RegistryFinding, { now, lead: { phone_number } }: RegistryInputs): Verdict | undefined => {
  const { list, as_of, isListed } = finding
  const refused = (code: string, detail: string): Verdict =>
    verdict('registry', false, {
      ...{ code, detail, inputs: { list, as_of } },
      ...(stateOfList(list) === undefined ? NATIONAL_RULE : { rule: `do-not-call list ${list}` }),
    })
  const whole = outOfUse(finding, now)
  if (whole) return refused(whole.code, whole.detail)
  if (isListed) return refused('LISTED', `The phone is on the do-not-call list ${list} of ${as_of}.`)
  if (!lacksAreaCode(finding, phone_number)) return undefined
  const areaCode = areaCodeOf(phone_number)
  return refused('MISSING', `The do-not-call list ${list} of ${as_of} has no number with the area code ${areaCode}. Import its file too.`)
}

const judged = (inputs: RegistryInputs): Verdict => {
  const { leadType, registries } = inputs
  const lists = registries.map(({ list, as_of, isListed }) => ({ list, as_of, is_listed: isListed }))
  const passes = (code: string, detail: string): Verdict => verdict('registry', true, { code, detail, inputs: { lists } })
  if (!leadType || registries.length === 0) return passes('NOT_ASKED', 'No do-not-call list is asked for this lead.')
  const exemption = exemptionOf(inputs, leadType)
  if (exemption !== undefined) return passes('EXEMPT', exemption)
  const [first] = registries.flatMap((finding) => refusal(finding, inputs) ?? [])
  const named = registries.map(({ list, as_of }) => `${list} of ${as_of}`).join(', ')
  return first ?? passes('NOT_LISTED', `The phone is not on the do-not-call list ${named}.`)
}

export const registry = (inputs: RegistryInputs): Verdict =>
  openingOnDay(judged, inputs, inputs.leadType?.registries?.relationship_field ?? null)
