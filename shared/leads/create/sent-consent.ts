import type { Requester } from '../../accounts/requester.ts'
import { checkTime } from '../../consents/check-time.ts'
import { giveConsent } from '../../consents/give-consent.ts'
import { invalid } from '../../platform/values/errors.ts'
import type { UpsertLead } from '../api/lead-request.ts'
import type { LeadWriter } from '../lead-writer.ts'

const FIELD = 'consent'

/**
 * Records the consent that comes with a lead. Must run before the lead is written, so that the gate finds it. Safe to repeat.
 * @throws ServiceError of validation
 */
export const recordSentConsent = async (
  requester: Requester,
  { consent, phone_number: phoneNumber }: Pick<UpsertLead, 'consent' | 'phone_number'>,
  writer: LeadWriter,
): Promise<void> => {
  if (!consent) return
  if (!phoneNumber) throw invalid({ [FIELD]: ['A consent needs the phone number that it was given for.'] })
  checkTime(consent.time, FIELD)
  await writer.consent(phoneNumber, consent, () => giveConsent(requester, consent, { phoneNumber, lead: null, field: FIELD }))
}
