import { GiveConsent } from '#shared/consents/api/consent-request.ts'
import { representConsent } from '#shared/consents/api/consent-response.ts'
import { checkLead, giveConsent } from '#shared/consents/give-consent.ts'
import { api } from '#shared/http/api.ts'
import { created, ok } from '#shared/http/reply.ts'

export const handler = api({ auth: 'token', body: GiveConsent, forms: true }, async ({ user, body }) => {
  const { phone_number: phoneNumber, lead, ...consent } = body
  if (lead !== null) await checkLead(user.id, lead, phoneNumber)
  const { record, isNew } = await giveConsent(user, consent, { phoneNumber, lead })
  return isNew ? created(representConsent(record)) : ok(representConsent(record))
})
