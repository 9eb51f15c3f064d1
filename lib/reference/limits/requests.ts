import { DEFAULT_INGESTION_THROTTLE, DEFAULT_THROTTLE, type Throttle } from '#shared/accounts/configuration.ts'
import { MOST_RECORDS } from '#shared/consents/add-record.ts'
import { LONGEST_HOW, LONGEST_PROOF } from '#shared/consents/api/consent-request.ts'
import { MOST_BULKS, UNCOUNTED_ITEMS } from '#shared/http/bulk-turn.ts'
import * as email from '#shared/http/fields/email.ts'
import * as metadata from '#shared/http/fields/metadata.ts'
import * as number from '#shared/http/fields/number.ts'
import * as pageReply from '#shared/http/page-reply.ts'
import * as paging from '#shared/http/page-size.ts'
import * as body from '#shared/http/steps/body.ts'
import * as form from '#shared/http/steps/body.ts'
import * as idempotency from '#shared/http/steps/idempotency.ts'
import { MOST_ITEMS } from '#shared/leads/api/bulk-request.ts'
import { MOST_LEADS_OF_PHONE } from '#shared/leads/rules/uniqueness.ts'
import { MOST_SORTED } from '#shared/lists/find-leads.ts'
import { MOST_LISTED_TYPES } from '#shared/lists/list-by-change.ts'
import { MOST_COUNTED } from '#shared/lists/merged-lists.ts'
import * as reading from '#shared/location/rules/reading.ts'
import { MOST_ID } from '#shared/platform/ids/ids.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { LONGEST_PERIOD, USUAL_DAYS } from '#shared/statistics/rules/period.ts'
import { LONGEST_SOURCE, MOST_SOURCES, OTHER_SOURCES } from '#shared/statistics/rules/source-name.ts'
import { USUAL_TIMEOUT } from '../../constructs/service-function.ts'
import { routes } from '../../routes.ts'
import { bytes, characters, count, time } from '../costs/quantities.ts'
import { type Limits, lengthOf } from './limit.ts'

const REFUSED = '400, which names the field'

const allowance = ({ burst_per_minute, sustained_per_day }: Throttle): string =>
  `${count(burst_per_minute)} a minute, ${count(sustained_per_day)} a UTC day`

const USUAL_SECONDS = USUAL_TIMEOUT.toSeconds()
const longest = Math.max(...routes.map((route) => ('timeoutSeconds' in route ? route.timeoutSeconds : USUAL_SECONDS)))

export const requestLimits: Limits = {
  heading: 'Requests',
  limits: [
    ['Requests of a user', allowance(DEFAULT_THROTTLE), '429 with `Retry-After`; set by `users[].throttle`'],
    [
      'Requests to an ingestion URL without a token',
      allowance(DEFAULT_INGESTION_THROTTLE),
      '429; set by `users[].ingestion_urls[].throttle`',
    ],
    ['Requests to the API in all, with the reports of voice agents', 'see `requestsPerSecond` and `requestBurst`', '429 by the gateway'],
    [
      'Time for an answer',
      `${time(USUAL_SECONDS * SECOND)}; more for bulk requests and a few others, at most ${time(longest * SECOND)}`,
      '502 or 504 by the gateway',
    ],
    ['Body', bytes(body.MAX_BODY_BYTES), '413'],
    ['Fields of a form', count(form.MAX_FIELDS), '400'],
    ['Page', `${count(paging.MAX_SIZE)} results, ${count(paging.DEFAULT_SIZE)} by default`, 'a larger `page_size` is reduced'],
    ['Size of a page', `${count(pageReply.MAX_PAGE_BYTES)} bytes`, '400 under `page_size`'],
    ['Exact `count` of a list of leads by change or by a value, or of deliveries', count(MOST_COUNTED), '`count` is this limit'],
    ['Leads with the rarer value, in a lookup by two values', count(MOST_COUNTED), '400 if both values have more'],
    [
      'Lead types of a user with leads in one list by change, without `lead_type` and `status`',
      count(MOST_LISTED_TYPES),
      '400 under `lead_type`',
    ],
    ['Leads with a `phone_number`, `email` or `external_id` that are listed with filters', count(MOST_SORTED), '400'],
    ['Period of statistics', `${count(LONGEST_PERIOD)} days, ${count(USUAL_DAYS)} by default`, '400 under `from`'],
    ['`Idempotency-Key`', characters(idempotency.MAX_KEY_LENGTH), '400'],
    [
      'Number that is sent as text, in a request or a file',
      characters(number.MAX_DIGITS),
      '400, which names the field, or the row is rejected',
    ],
    ['Leads of a bulk request', count(MOST_ITEMS), '400 under `leads`'],
    [`Bulk requests of a user at the same time, of more than ${UNCOUNTED_ITEMS} items each`, count(MOST_BULKS), '429 with `Retry-After`'],
    ['Ids of all objects that are ever created', count(MOST_ID), '503, and nothing is written; an alarm warns when half of them are used'],
  ],
}

export const leadLimits: Limits = {
  heading: 'Leads',
  limits: [
    ['Leads of a user with the same phone number', count(MOST_LEADS_OF_PHONE), '400; the same number of another user does not count'],
    ['`metadata`', `${bytes(metadata.MAX_METADATA_BYTES)} of JSON, ${count(metadata.MAX_METADATA_DEPTH)} levels deep`, REFUSED],
    [
      'Text that gives the location of a lead, also in `metadata`',
      characters(reading.LONGEST_TEXT),
      'the text is stored, but not used as a location',
    ],
    ['`email`', characters(email.MAX_EMAIL_LENGTH), REFUSED],
    ['`external_id`', lengthOf('CreateLead', 'external_id'), REFUSED],
    [
      'Texts of a consent record: `proof_text`, and `how` of a revocation',
      `${count(LONGEST_PROOF)} and ${characters(LONGEST_HOW)}`,
      REFUSED,
    ],
    ['Consent records of a phone number, of one user', count(MOST_RECORDS), '400; a revocation still stops the number'],
    ['`lead_source`', lengthOf('CreateLead', 'lead_source'), REFUSED],
    [
      'Characters of a `lead_source` that statistics distinguish',
      count(LONGEST_SOURCE),
      'longer ones with the same beginning count together',
    ],
    ['Sources of a user that statistics count by name', count(MOST_SOURCES), `further ones count as \`${OTHER_SOURCES}\``],
  ],
}
