import * as v from 'valibot'
import { invalid, ServiceError } from '../../platform/values/errors.ts'
import { fieldErrors } from '../fields/field.ts'
import { parseJson } from '../json.ts'
import type { Body } from './body.ts'

/** Fields that a form carries as JSON text. */
const JSON_FIELDS = ['metadata']

type Values = Readonly<Record<string, unknown>>

const without = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

const refusedIn = (schema: v.GenericSchema, values: Values): string[] => {
  const { issues } = v.safeParse(schema, values)
  return issues ? Object.keys(fieldErrors(issues)) : []
}

/** Browsers send empty fields as blank text. A blank is dropped if its field refuses blanks and is optional. */
const leaveOutBlanks = (schema: v.GenericSchema, values: Values): Values => {
  if (!Object.values(values).includes('')) return values
  const refused = refusedIn(schema, values).filter((name) => values[name] === '' && !JSON_FIELDS.includes(name))
  const required = refusedIn(schema, without(values, refused))
  return without(
    values,
    refused.filter((name) => !required.includes(name)),
  )
}

/** @returns undefined when the text is not JSON */
const fromJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: parseJson(text) }
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** @param errors messages that replace the schema's, by field. A map, because a client may name a field `toString`. */
const parse = (schema: v.GenericSchema, values: unknown, errors: ReadonlyMap<string, readonly string[]> = new Map()): unknown => {
  const result = v.safeParse(schema, values)
  if (result.success) return result.output
  const found = fieldErrors(result.issues)
  throw invalid(Object.fromEntries(Object.entries(found).map(([name, messages]) => [name, errors.get(name) ?? messages])))
}

const parseForm = (schema: v.GenericSchema, form: Readonly<Record<string, string>>): unknown => {
  const given = JSON_FIELDS.filter((name) => Object.hasOwn(form, name)).map((name) => ({ name, json: fromJson(form[name] ?? '') }))
  const values = new Map<string, unknown>(Object.entries(form))
  for (const { name, json } of given) if (json) values.set(name, json.value)
  const broken = given.filter(({ json }) => !json).map(({ name }) => [name, ['Value must be valid JSON.']] as const)
  return parse(schema, leaveOutBlanks(schema, Object.fromEntries(values)), new Map(broken))
}

/** The fields of a body, parsed by the schema. @throws ServiceError `validation` with every message of every failing field */
export const readFields = (schema: v.GenericSchema, body: Body): unknown =>
  body.form ? parseForm(schema, body.values) : parse(schema, body.values)
