import * as v from 'valibot'
import { DateTime } from '../../http/responses/values.ts'
import { formatInstant } from '../../platform/values/time.ts'
import { Id } from '../../platform/values/values.ts'
import { CHANNELS } from '../../stops/compliance.ts'
import { CONSENT_KINDS, CONSENT_TYPES, type ConsentRecord } from '../consent.ts'

/** One consent or revocation. A consent has no `how` and no `channels`; a revocation has no type, proof and seller. */
export const ConsentResponse = v.strictObject({
  phone_number: v.string(),
  sequence: v.pipe(v.number(), v.integer(), v.minValue(1), v.description('Counts the records of the phone number, from 1.')),
  kind: v.picklist(CONSENT_KINDS),
  type: v.nullable(v.picklist(CONSENT_TYPES)),
  time: v.pipe(DateTime, v.description('When the person gave or revoked it.')),
  proof_text: v.nullable(v.string()),
  proof_url: v.nullable(v.string()),
  seller: v.nullable(v.string()),
  source: v.nullable(v.string()),
  lead: v.pipe(v.nullable(Id), v.description('The lead that it was sent with.')),
  how: v.nullable(v.string()),
  channels: v.array(v.picklist(CHANNELS)),
  received_time: DateTime,
  received_by: v.pipe(Id, v.description('The user, or the member of staff who acted for the user.')),
})
export type ConsentResponse = v.InferOutput<typeof ConsentResponse>

export const representConsent = ({ owner: _, lead_id, time, received_time, ...record }: ConsentRecord): ConsentResponse => ({
  ...record,
  lead: lead_id,
  time: formatInstant(time),
  received_time: formatInstant(received_time),
})
