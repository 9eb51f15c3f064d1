import * as v from 'valibot'
import { phoneField } from '#shared/http/fields/phone.ts'
import { OpsMistake } from './refusal.ts'

const Phone = phoneField()

/** A phone number in E.164, of what an operator writes. @throws OpsMistake when it is none */
export const phoneNumberOf = (text: string): string => {
  const read = v.safeParse(Phone, text)
  if (read.success) return read.output
  throw new OpsMistake(`"${text}" is no phone number: ${read.issues[0].message}`)
}
