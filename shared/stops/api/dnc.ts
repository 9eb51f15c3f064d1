import * as v from 'valibot'
import { booleanField } from '../../http/fields/choice.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { DateTime } from '../../http/responses/values.ts'
import { formatInstant } from '../../platform/values/time.ts'
import { Id } from '../../platform/values/values.ts'
import { CHANNELS } from '../compliance.ts'
import { type PastStop, STOP_MEANS } from '../stop-record.ts'

/** A phone number to enter on the do-not-contact list of the user's group. */
export const EnterOnList = v.pipe(
  onlyFields({ phone_number: phoneField(), call_dnc: v.optional(booleanField(), true), sms_dnc: v.optional(booleanField(), true) }),
  v.check(({ call_dnc, sms_dnc }) => call_dnc || sms_dnc, 'At least one of call_dnc and sms_dnc must be true.'),
)

/** One stop or one lift of a phone number, as it was received. */
const PastStopResponse = v.strictObject({
  time: v.pipe(DateTime, v.description('When it was received.')),
  action: v.picklist(['stopped', 'lifted']),
  channels: v.array(v.picklist(CHANNELS)),
  means: v.pipe(
    v.nullable(v.picklist(STOP_MEANS)),
    v.description('How it was received. Null, as all that follows, if another user of the group or the operator received it.'),
  ),
  received_by: v.pipe(v.nullable(Id), v.description('The user who sent the request, or the member of staff who acted for the user.')),
  lead: v.nullable(Id),
  upload_id: v.nullable(v.string()),
  call_id: v.nullable(v.string()),
  words: v.pipe(v.nullable(v.string()), v.description('The exact words, if they are known.')),
})

/** The parts of a stop that only the user who received it may see. */
export const HIDDEN_ORIGIN = { means: null, received_by: null, lead: null, upload_id: null, call_id: null, words: null } as const

/** A stop as a user may see it. @param user sees no more of a stop that another user or the operator received than that it was received */
export const representPastStop = (
  { time, action, channels, owner, agent: _, ...origin }: PastStop,
  user: number,
): v.InferOutput<typeof PastStopResponse> => ({
  ...{ time: formatInstant(time), action, channels },
  ...(owner === user ? origin : HIDDEN_ORIGIN),
})

export const DncLookUpResponse = v.strictObject({
  phone_number: v.string(),
  call_dnc: v.boolean(),
  sms_dnc: v.boolean(),
  effective: v.pipe(
    v.strictObject({ call_dnc: v.boolean(), sms_dnc: v.boolean() }),
    v.description('All flags of the phone number in the group: from the list, or set on a lead.'),
  ),
  history: v.pipe(
    v.optional(v.array(PastStopResponse)),
    v.description('The latest 100 stops and lifts, the latest first. Only with `history=true`.'),
  ),
})

/** A phone number's entry on the do-not-contact list of the user's group. */
export const DncEntryResponse = v.omit(DncLookUpResponse, ['effective', 'history'])
