import { toJsonSchema } from '@valibot/to-json-schema'
import { ConfigurationFile } from './schema.ts'
import { ASIDE } from './unknown-keys.ts'

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Settings that are not named are mistakes, also where the service itself would look past them. Defaults are not the file's. */
const strict = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(strict)
  if (!isPlain(part)) return part
  const { default: _, ...kept } = part
  const inside = Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [name, name === 'properties' ? eachOf(value) : strict(value)]),
  )
  return 'properties' in part && !('additionalProperties' in part) ? { ...inside, additionalProperties: false } : inside
}

/** Properties bear names of settings, not of the schema's own. */
const eachOf = (properties: unknown): unknown =>
  isPlain(properties) ? Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, strict(value)])) : properties

/** The JSON Schema of a configuration file, for editors. What hangs together with other things is looked at when it is applied. */
export const configurationJsonSchema = (): unknown => {
  const schema = strict(toJsonSchema(ConfigurationFile, { errorMode: 'ignore', typeMode: 'input' }))
  return { ...(isPlain(schema) && schema), patternProperties: { [`^${ASIDE}`]: {} }, title: 'Configuration of the lead outreach service' }
}
