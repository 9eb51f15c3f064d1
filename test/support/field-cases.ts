import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { Dictionary, fieldErrors, fields } from '#shared/http/fields/field.ts'
import { helped } from './helped.ts'

/** For each field: accepted inputs with their values, and refused inputs with their messages, which may leave out help: see `helped`. */
type FieldCases = [name: string, field: v.GenericSchema, accepted: [unknown, unknown][], refused: [unknown, ...string[]][]]

const read = (field: v.GenericSchema, value: unknown): unknown => {
  const result = v.safeParse(v.pipe(Dictionary, fields({ field })), { field: value })
  return result.success ? { value: result.output.field } : { refused: fieldErrors(result.issues)['field'] }
}

export const testFields = (cases: FieldCases[]): void =>
  describe.each(cases)('%s', (name, field, accepted, refused) => {
    it.each(accepted)(`${name} accepts %j`, (input, value) => {
      expect(read(field, input)).toEqual({ value })
    })

    it.each(refused.map(([input, ...messages]) => [input, messages] as const))(`${name} refuses %j`, (input, messages) => {
      expect(read(field, input)).toEqual({ refused: messages.map((text) => (text.includes(' …') ? helped(text) : text)) })
    })
  })
