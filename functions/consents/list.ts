import { representConsent } from '#shared/consents/api/consent-response.ts'
import { consentRecordsOf } from '#shared/consents/consent-store.ts'
import { api } from '#shared/http/api.ts'
import { askedPhone } from '#shared/http/fields/phone.ts'
import { pageReply } from '#shared/http/page-reply.ts'
import { PAGE_PARAMETERS, pageOfAll } from '#shared/http/paging.ts'

export const handler = api({ auth: 'token', query: ['phone_number', ...PAGE_PARAMETERS] }, async (request) => {
  const records = await consentRecordsOf(request.user.id, askedPhone(request.query))
  return pageReply(await pageOfAll(request, records, representConsent), 'consents')
})
