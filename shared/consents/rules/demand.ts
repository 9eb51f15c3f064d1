import type { LeadType } from '../../accounts/configuration.ts'
import { type ConsentType, type DemandedConsent, strictest } from '../consent.ts'

type Demanding = Pick<DemandedConsent, 'consent_type' | 'consent_by_state'>

/**
 * Whether the records of a consent can matter: the lead type demands one at least somewhere, or accepts other evidence, which does not count
 * after a revocation.
 */
export const usesRecord = ({ consent_field, consent_type, consent_by_state, registries }: LeadType): boolean =>
  consent_field !== null ||
  consent_type !== null ||
  Object.keys(consent_by_state).length > 0 ||
  (registries?.exemption ?? 'none') !== 'none'

/** Where a lead may be: codes of jurisdictions, or null when it may be in any of them. */
export type Places = readonly string[] | null

/** The least that a lead type demands of the consent of a lead. `none`: nothing. */
export const demandedType = ({ consent_type, consent_by_state }: Demanding, places: Places): ConsentType => {
  const ofStates = Object.entries(consent_by_state).flatMap(([state, type]) => (places === null || places.includes(state) ? [type] : []))
  return strictest([consent_type ?? 'none', ...ofStates])
}
