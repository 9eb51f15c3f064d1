import type { LeadType } from '#shared/accounts/configuration.ts'
import type { CallingRules, Duty } from '#shared/calling/rules/calling-rules.ts'
import { isEnough } from '#shared/consents/consent.ts'
import { demandedType } from '#shared/consents/rules/demand.ts'
import { placeText, statusOn } from './describe.ts'

interface NamedType {
  readonly name: string
  readonly type: LeadType
}

/** The setting of a lead type that demands what a duty asks for. */
interface Demand {
  readonly isMet: (type: LeadType) => boolean
  readonly setting: string
}

const demandOf = ({ duty, jurisdiction }: Duty): Demand | undefined => {
  if (duty === 'reassigned-numbers')
    return { isMet: (type) => type.reassigned_numbers !== null, setting: 'reassigned_numbers: { where: law }' }
  if (duty !== 'consent') return undefined
  return {
    // The service does not know what a field of the customer's own holds.
    isMet: (type) => type.consent_field !== null || isEnough(demandedType(type, [jurisdiction]), 'written'),
    setting: jurisdiction === 'federal' ? 'consent_type: written' : `consent_by_state: { ${jurisdiction}: written }`,
  }
}

/** A sentence for each duty about calls that is in force on a day, if one of the lead types does not demand what it asks for. */
export const unmetDuties = (types: readonly NamedType[], { duties }: CallingRules, day: string): string[] =>
  duties.flatMap((duty) => {
    const demand = demandOf(duty)
    if (!demand || !duty.channels.includes('call') || statusOn(duty, day) !== 'in force') return []
    const names = types.filter(({ type }) => type.active && !demand.isMet(type)).map(({ name }) => name)
    if (names.length === 0) return []
    const law = `${placeText(duty.jurisdiction)}: ${duty.what} ${duty.citations.join('; ')}.`
    return `Warning: ${law} The service does not check this for ${names.join(', ')}. To have it checked, add to the lead type: ${demand.setting}`
  })
