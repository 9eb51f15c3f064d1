import * as v from 'valibot'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { charField } from '../../http/fields/text.ts'

const to = phoneField()

/** The called number decides which agent must have signed the request. */
export const CalledNumber = v.object({ to })

/** The body of an agent's report that it has answered an inbound call. */
export const InboundCall = v.pipe(Dictionary, fields({ provider_call_id: charField({ maxLength: 255 }), from: phoneField(), to }))
