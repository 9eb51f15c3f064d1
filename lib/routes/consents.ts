import { listedPhone, paging, tooLarge } from '../openapi/parameters.ts'
import type { Route } from './route.ts'

/** Consent of people to be called, and its revocation. */
export const consentRoutes = [
  {
    method: 'POST',
    path: '/api/consents/',
    function: 'consents/create',
    auth: 'token',
    needs: [
      'table:get',
      'table:batch-get',
      'table:query',
      'table:put',
      'table:update',
      'table:delete',
      'calls:send',
      'phone-hash',
      'calling-policy',
    ],
    summary: 'Record a consent',
    impact: 'Clients cannot record consents. Leads whose lead type demands a recorded consent are not called.',
    api: {
      tag: 'Consent',
      description:
        'Adds a record to the history of the phone number. Records are never changed. A consent with the same content makes no second record. Leads with this number that waited for the consent are called again.',
      body: 'GiveConsent',
      example: {
        phone_number: '+12125550123',
        type: 'written',
        time: '2026-11-19T15:30:00.000000+00:00',
        proof_url: 'https://example.com/proofs/17',
      },
      forms: true,
      answers: {
        201: { description: 'Recorded.', holds: 'Consent' },
        200: { description: 'The same consent was recorded before. The answer is its record.', holds: 'Consent' },
      },
    },
  },
  {
    method: 'GET',
    path: '/api/consents/',
    function: 'consents/list',
    auth: 'token',
    needs: ['table:get', 'table:query'],
    summary: 'List consents and revocations of a phone number',
    impact: 'Clients cannot look up recorded consents. The service still demands them.',
    api: {
      tag: 'Consent',
      description: 'All records of your user for the phone number, the latest received first.',
      query: { phone_number: listedPhone, ...paging },
      answers: {
        200: { description: 'A page of records.', holds: 'ConsentPage' },
        400: tooLarge,
      },
      mayMiss: true,
    },
  },
  {
    method: 'POST',
    path: '/api/consents/revoke/',
    function: 'consents/revoke',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:query', 'table:put', 'table:update', 'calls:send', 'phone-hash', 'revocation'],
    summary: 'Revoke consent',
    impact: 'Clients cannot record that people revoked their consent. Clients can still add numbers to the do-not-contact list.',
    api: {
      tag: 'Consent',
      description:
        'Adds the phone number to the do-not-contact list of your group, for the channels that you name, and from 2027-01-31 on for all channels. Then records the revocation. After the answer, no new call to the number begins.',
      body: 'RevokeConsent',
      example: { phone_number: '+12125550123', how: 'Asked by email not to be called again.' },
      forms: true,
      answers: {
        201: { description: 'Revoked.', holds: 'Consent' },
        200: { description: 'The same revocation was recorded before. The answer is its record.', holds: 'Consent' },
      },
    },
  },
] as const satisfies readonly Route[]
