import { toJsonSchema } from '@valibot/to-json-schema'
import { ConfigurationFile } from './schema.ts'
import { ASIDE } from './unknown-keys.ts'

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Refuses unknown settings, even where the service itself ignores them. Drops defaults: a setting that the file leaves out keeps its stored
 * value.
 */
const strict = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(strict)
  if (!isPlain(part)) return part
  const { default: _, ...kept } = part
  const inside = Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [name, name === 'properties' ? eachOf(value) : strict(value)]),
  )
  return 'properties' in part && !('additionalProperties' in part) ? { ...inside, additionalProperties: false } : inside
}

/** The keys of `properties` are names of settings, not keywords of JSON Schema. */
const eachOf = (properties: unknown): unknown =>
  isPlain(properties) ? Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, strict(value)])) : properties

/** The JSON Schema of a configuration file, for editors. Relations between entries are checked only by `apply`. */
export const configurationJsonSchema = (): unknown => {
  const schema = strict(toJsonSchema(ConfigurationFile, { errorMode: 'ignore', typeMode: 'input' }))
  return { ...(isPlain(schema) && schema), patternProperties: { [`^${ASIDE}`]: {} }, title: 'Configuration of the lead outreach service' }
}
