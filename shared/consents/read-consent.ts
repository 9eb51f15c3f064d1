import type { LeadType } from '../accounts/configuration.ts'
import type { Lead } from '../leads/lead.ts'
import type { ConsentState } from './consent.ts'
import { getConsentState } from './consent-store.ts'
import { usesRecord } from './rules/demand.ts'

/**
 * The consent of a lead's phone, for the gates. Null without a read when nothing uses it.
 * @param isAsked whether another gate than that of the consent needs it
 */
export const readConsent = async (
  { owner, phone_number }: Pick<Lead, 'owner' | 'phone_number'>,
  leadType: LeadType | undefined,
  isAsked: boolean,
): Promise<ConsentState | null> => (isAsked || (leadType && usesRecord(leadType)) ? getConsentState(owner, phone_number) : null)
