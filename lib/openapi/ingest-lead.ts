import type { ApiOperation, Parameter } from './operation.ts'

const ingestionUrl: Readonly<Record<string, Parameter>> = {
  id: { description: 'Id of the ingestion URL.', schema: { type: 'string', format: 'uuid' } },
}

const example = {
  ref: 'A-17',
  contact: { phone: '+12125550123', email: 'ann@example.com', name: { first: 'Ann', last: 'Lee' } },
  address: { state: 'NY', zip: '10001' },
}

const ABOUT =
  'The fields are the provider’s own; the mapping of the ingestion URL says what becomes of each, and nothing else is kept. A form may write `contact[phone]` or `contact.phone` for what is nested. What is wrong is told under the names that the provider uses. Whether a token is asked for is up to the URL; one without a token has an allowance of its own, and an `Idempotency-Key` then counts for the URL.'

/** Leads in the providers' own formats. */
export const ingestLead: Readonly<Record<string, ApiOperation>> = {
  'ingest-lead/create': {
    tag: 'Ingestion',
    description: `${ABOUT} As creating a lead, this may reengage an earlier one.`,
    path: ingestionUrl,
    body: 'ForeignLead',
    example,
    forms: true,
    answers: {
      201: { description: 'Created.', holds: 'Lead' },
      200: { description: 'An existing lead was reengaged.', holds: 'Lead' },
    },
  },
  'ingest-lead/upsert': {
    tag: 'Ingestion',
    description: `${ABOUT} The lead with the same external id is updated, else that with the phone number, else that with the email, the newest of several; when there is none, one is created. Only what was sent is changed, and do-not-contact is never cleared. What is sent again changes nothing.`,
    path: ingestionUrl,
    body: 'ForeignLead',
    example,
    forms: true,
    answers: {
      201: { description: 'Created.', holds: 'Lead' },
      200: { description: 'An existing lead, as it is now.', holds: 'Lead' },
    },
  },
}
