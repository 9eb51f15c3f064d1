import * as v from 'valibot'
import { phoneField } from '#shared/http/fields/phone.ts'
import { OpsMistake } from './refusal.ts'

const Phone = phoneField()

/** Parses an operator's input into E.164. @throws OpsMistake when it is not a phone number */
export const phoneNumberOf = (text: string): string => {
  const read = v.safeParse(Phone, text)
  if (read.success) return read.output
  throw new OpsMistake(`"${text}" is no phone number: ${read.issues[0].message}`)
}
