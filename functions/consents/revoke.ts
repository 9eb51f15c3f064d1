import { SentRevocation } from '#shared/consents/api/consent-request.ts'
import { representConsent } from '#shared/consents/api/consent-response.ts'
import { revokeConsent } from '#shared/consents/revoke-consent.ts'
import { api } from '#shared/http/api.ts'
import { created, ok } from '#shared/http/reply.ts'

export const handler = api({ auth: 'token', body: SentRevocation, forms: true }, async ({ user, body, began }) => {
  const { record, isNew } = await revokeConsent(user, body, began)
  return isNew ? created(representConsent(record)) : ok(representConsent(record))
})
