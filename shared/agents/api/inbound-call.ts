import * as v from 'valibot'
import { Dictionary, fields } from '../../http/fields/field.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { charField } from '../../http/fields/text.ts'

const to = phoneField()

/** The number that was called tells who must have signed. */
export const CalledNumber = v.object({ to })

/** What an agent reports when it has answered a call. */
export const InboundCall = v.pipe(Dictionary, fields({ provider_call_id: charField({ maxLength: 255 }), from: phoneField(), to }))
