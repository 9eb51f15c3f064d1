import * as v from 'valibot'
import { emailField } from './email.ts'
import { blankAsNull, field, fieldErrors, fields, isDictionary, type Refusal, refuse } from './field.ts'
import { phoneField } from './phone.ts'
import { pythonType } from './python.ts'
import { charField } from './text.ts'

/** A number, or any text that another system uses as an id. */
const idOf = v.union([v.pipe(v.number(), v.integer()), blankAsNull(charField({ maxLength: 255 }))], 'Not a valid string.')

const entries = fields({
  id: v.optional(v.nullable(idOf)),
  name: v.optional(v.nullable(charField({ maxLength: 255, allowBlank: true }))),
  email: v.optional(blankAsNull(emailField())),
  phone_number: v.optional(blankAsNull(phoneField())),
})
export type Representative = v.InferOutput<typeof entries>

const nullable = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] })

/** The representative who talks with the person. Errors have the form `email: …`. */
export const representativeField = () =>
  field(
    (value): Representative | Refusal => {
      if (!isDictionary(value)) return refuse(`Invalid data. Expected a dictionary, but got ${pythonType(value)}.`)
      const read = v.safeParse(entries, value)
      if (read.success) return read.output
      const errors = Object.entries(fieldErrors(read.issues))
      return refuse(...errors.flatMap(([name, messages]) => messages.map((message) => `${name}: ${message}`)))
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
