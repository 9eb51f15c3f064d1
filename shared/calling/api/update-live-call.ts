import * as v from 'valibot'
import { emailField } from '../../http/fields/email.ts'
import { externalIdsField } from '../../http/fields/external-ids.ts'
import { blankAsNull, field, fields, isDictionary, type Refusal, refuse, refuseFields } from '../../http/fields/field.ts'
import { idField } from '../../http/fields/number.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { pythonType } from '../../http/fields/python.ts'
import { charField } from '../../http/fields/text.ts'

/** A number, or any text that another system uses as an id. */
const idOf = v.union([v.pipe(v.number(), v.integer()), blankAsNull(charField({ maxLength: 255 }))], 'Not a valid string.')

const entries = fields({
  id: v.optional(v.nullable(idOf)),
  name: v.optional(v.nullable(charField({ maxLength: 255, allowBlank: true }))),
  email: v.optional(blankAsNull(emailField())),
  phone_number: v.optional(blankAsNull(phoneField())),
})
type Representative = v.InferOutput<typeof entries>

const nullable = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] })

/** The representative who talks with the person. Errors have the form `email: …`. */
export const representativeField = () =>
  field(
    (value): Representative | Refusal => {
      if (!isDictionary(value)) return refuse(`Invalid data. Expected a dictionary, but got ${pythonType(value)}.`)
      const { success, output, issues } = v.safeParse(entries, value)
      return success ? output : refuseFields(issues)
    },
    {
      type: 'object',
      properties: {
        id: { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] },
        name: nullable('string'),
        email: nullable('string'),
        phone_number: nullable('string'),
      },
    },
  )

const UNNAMED = 'One of call_id, lead_id, phone_number is required.'

/** The body of an update of a call in progress. At least one field names the call; several must name the same call. */
export const UpdateLiveCall = v.pipe(
  onlyFields({
    call_id: v.optional(blankAsNull(charField({ maxLength: 255 }))),
    lead_id: v.optional(blankAsNull(idField())),
    phone_number: v.optional(blankAsNull(phoneField())),
    representative: v.optional(v.nullable(representativeField())),
    external_id: v.optional(blankAsNull(charField({ maxLength: 255 }))),
    external_ids: v.optional(v.nullable(externalIdsField())),
  }),
  v.check(({ call_id, lead_id, phone_number }) => [call_id, lead_id, phone_number].some((name) => (name ?? null) !== null), UNNAMED),
)
export type UpdateLiveCall = v.InferOutput<typeof UpdateLiveCall>
