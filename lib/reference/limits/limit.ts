import * as v from 'valibot'
import { jsonSchemas } from '../../openapi/schemas.ts'
import { characters } from '../costs/quantities.ts'

/** A thing, its limit, and the effect beyond it. */
type Limit = readonly [what: string, most: string, beyond: string]

export interface Limits {
  readonly heading: string
  readonly limits: readonly Limit[]
}

const Field = v.object({ maxLength: v.number() })

const Component = v.object({ properties: v.record(v.string(), v.union([Field, v.object({ anyOf: v.array(v.unknown()) }), v.unknown()])) })

const schemas = jsonSchemas()

/**
 * Longest text of a request's field, according to the API's own document.
 * @throws Error when the document has no such limit
 */
export const lengthOf = (component: string, name: string): string => {
  const { properties } = v.parse(Component, schemas[component])
  const field = properties[name]
  const choices = v.is(v.object({ anyOf: v.array(v.unknown()) }), field) ? field.anyOf : [field]
  const limited = choices.find((choice) => v.is(Field, choice))
  if (!v.is(Field, limited)) throw new Error(`${component}.${name} has no maximum length.`)
  return characters(limited.maxLength)
}
