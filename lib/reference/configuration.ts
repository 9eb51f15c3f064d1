import { isDeepStrictEqual } from 'node:util'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { PlatformSetting } from '#shared/agents/platforms/adapter.ts'
import { adapterOf, PLATFORM_NAMES } from '#shared/agents/platforms/adapters.ts'
import { ConfigurationFile } from '../ops/configuration/schema.ts'
import { Settings } from '../settings.ts'
import { code, codeBlock, markdownPage, markdownTable } from './markdown.ts'

/** A JSON Schema, or a part of one. */
type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const inside = (value: unknown): Json => (isJson(value) ? value : {})
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A schema without its choice of null, which only resets a setting. The schema retains its default. */
const withoutNull = (schema: Json): Json => {
  const choices = listed(schema['anyOf']).map(inside)
  const rest = choices.filter(({ type }) => type !== 'null')
  const [only] = rest
  if (choices.length === 0 || !only) return schema
  const { anyOf: _, ...beside } = schema
  return rest.length === 1 ? withoutNull({ ...only, ...beside }) : { ...beside, anyOf: rest }
}

const RANGES: readonly (readonly [name: string, words: (most: string) => string])[] = [
  ['minimum', (least) => `, at least ${least}`],
  ['maximum', (most) => `, at most ${most}`],
  ['maxLength', (most) => `, at most ${most} characters`],
  ['minItems', (least) => ` (${least} or more)`],
  ['maxItems', (most) => ` (${most} at most)`],
]

/** Maximum of every id. It is not shown. */
const LARGEST = 2 ** 31 - 1

const rangeOf = (schema: Json): string =>
  RANGES.filter(([name]) => typeof schema[name] === 'number' && schema[name] !== LARGEST)
    .map(([name, words]) => words(Number(schema[name]).toLocaleString('en')))
    .join('')

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'settings',
}

const FORMATS: Readonly<Record<string, string>> = { uri: 'URL', uuid: 'UUID' }

/** Describes in words what a setting takes. */
const wordsOf = (given: unknown): string => {
  const schema = withoutNull(inside(given))
  const { anyOf, type, items, format, const: only } = schema
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(wordsOf))].join(' or ')
  if (only !== undefined) return code(`${only}`)
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => code(`${value}`)).join(', ')
  if (Array.isArray(items)) return `[${items.map(wordsOf).join(', ')}]`
  if (type === 'array') return `list of ${wordsOf(items)}${rangeOf(schema)}`
  if (isJson(schema['additionalProperties'])) return `${wordsOf(schema['additionalProperties'])}, by name`
  return `${FORMATS[`${format}`] ?? WORDS[`${type}`] ?? 'text'}${rangeOf(schema)}`
}

const DEFAULT = ' Default: '

/** A setting's description, and the default in its last sentence. */
const splitDefault = (description: string): { readonly meaning: string; readonly stated?: string } => {
  const at = description.indexOf(DEFAULT)
  if (at < 0 || !description.endsWith('.')) return { meaning: description }
  return { meaning: description.slice(0, at), stated: description.slice(at + DEFAULT.length, -1) }
}

interface Row {
  readonly path: string
  readonly takes: string
  readonly fallback: string
  readonly meaning: string
}

/** Properties by name. Many properties with the same schema become one. */
const propertiesOf = (schema: Json): readonly (readonly [string, unknown])[] => {
  const properties = Object.entries(inside(schema['properties']))
  const [first] = properties
  return first && properties.length > 5 && properties.every(([, one]) => isDeepStrictEqual(one, first[1])) ? [['*', first[1]]] : properties
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return code(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Rows of the settings below a path. `hasDefaults`: a description above gives their defaults. `shown`: where each was shown first. */
const rowsBelow = (path: string, given: unknown, hasDefaults: boolean, shown: Map<string, string>): readonly Row[] => {
  const schema = withoutNull(inside(given))
  const properties = propertiesOf(schema)
  if (properties.length === 0)
    return schema['type'] === 'array' && isJson(schema['items']) ? rowsBelow(`${path}[]`, schema['items'], hasDefaults, shown) : []
  const before = shown.get(JSON.stringify(schema['properties']))
  if (before !== undefined) return [{ path: `${path}.…`, takes: '', fallback: '', meaning: `As ${code(before)}.` }]
  if (path !== '') shown.set(JSON.stringify(schema['properties']), path)
  const required = listed(schema['required'])
  return properties.flatMap(([name, one]) => {
    const setting = withoutNull(inside(one))
    const description = `${inside(one)['description'] ?? setting['description'] ?? ''}`
    const { meaning, stated } = splitDefault(description)
    const row = {
      path: path === '' ? name : `${path}.${name}`,
      takes: `${wordsOf(one)}${required.includes(name) && name !== '*' ? ' (required)' : ''}`,
      fallback: stated ?? (hasDefaults ? '' : textOf(setting['default'])),
      meaning: name === '*' ? `Each of ${Object.keys(inside(schema['properties'])).map(code).join(', ')}.` : meaning,
    }
    return [row, ...rowsBelow(row.path, one, hasDefaults || stated !== undefined, shown)]
  })
}

/** A row for each setting in a JSON Schema: path, what it takes, default, meaning. */
const schemaRows = (schema: unknown): readonly (readonly string[])[] =>
  rowsBelow('', schema, false, new Map()).map(({ path, takes, fallback, meaning }) => [code(path), takes, fallback, meaning])

/** The requirements of a schema, taken from its error messages. */
const demands = (schema: unknown): readonly string[] => {
  const Part = v.object({
    message: v.optional(v.unknown()),
    pipe: v.optional(v.array(v.unknown()), []),
    options: v.optional(v.array(v.unknown()), []),
    wrapped: v.optional(v.unknown()),
  })
  const part = v.safeParse(Part, schema)
  if (!part.success) return []
  const { message, pipe, options, wrapped } = part.output
  const own = typeof message === 'string' ? [message.replace(/^must be /, '')] : []
  return [...new Set([...own, ...[...pipe.slice(0, 1), wrapped, ...options, ...pipe.slice(1)].flatMap(demands)])]
}

const deploymentRows = Object.entries(Settings.entries).map(([name, setting]) => {
  const fallback = v.getDefault(setting)
  return [code(name), demands(setting).join(', ') || 'text', fallback === '' ? '' : code(`${fallback}`), v.getDescription(setting) ?? '']
})

const ruleOf = ({ values, form }: PlatformSetting): string => values?.map(code).join(', ') ?? form?.rule ?? 'text'

const platformRows = PLATFORM_NAMES.flatMap((platform) =>
  Object.entries(adapterOf(platform)?.settings ?? {}).map(([name, setting]) => [
    code(platform),
    `${code(name)}${setting.isOptional ? '' : ' (required)'}`,
    ruleOf(setting),
    setting.about,
  ]),
)

/** All settings: those of a deployment, and those that the operator applies to it. */
export const configurationPage = (): string =>
  markdownPage(
    '# Configuration',
    '## A deployment',
    `These are keys of the CDK context. Set them in \`cdk.json\` or on the command line. If a key is unknown or malformed, the command
refuses it before it deploys anything. The local service uses the defaults, and also allows requests to loopback.`,
    codeBlock('', 'npm run deploy -- --stage staging --context defaultTimezone=America/Chicago'),
    markdownTable(['Key', 'Takes', 'Default', 'What it is'], deploymentRows),
    '## A file of `npm run ops -- apply`',
    `The file is YAML. \`lib/ops/schema.json\` is its schema for editors, and \`lib/ops/examples/company.yaml\` is an example. Only required
keys must be in the file. All other settings that the file leaves out stay as they are. If a new user, lead type or agent lacks a setting,
the tool says so. \`null\` resets a setting to its default. \`[]\` in a path stands for each item of a list.`,
    markdownTable(
      ['Setting', 'Takes', 'Default', 'What it is'],
      schemaRows(toJsonSchema(ConfigurationFile, { errorMode: 'ignore', typeMode: 'input' })),
    ),
    '### `settings` of an agent on a voice platform',
    'All values are texts: put numbers and `true` into quotes.',
    markdownTable(['Platform', 'Setting', 'Takes', 'What it is'], platformRows),
  )
