import type { Json } from './operation.ts'
import {
  type DocumentedOperation,
  type DocumentedParameter,
  isOfAgents,
  type JsonSchema,
  parametersIn,
  readOpenApi,
} from './read-openapi.ts'

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /').replace(/\s+/g, ' ')} */\n`

const keyText = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

/** One line of an object. Callers may also give undefined, which JSON leaves out. */
const field = (name: string, type: string, isRequired: boolean, description?: string): string =>
  `${comment(description)}readonly ${keyText(name)}${isRequired ? `: ${type}` : `?: ${type} | undefined`}`

const objectOf = ({ properties = {}, required = [], additionalProperties }: JsonSchema): string => {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, typeOf(schema), required.includes(name), schema.description),
  )
  if (fields.length > 0) {
    const others = additionalProperties === false ? [] : ['readonly [key: string]: unknown']
    return `{\n${[...fields, ...others].join('\n')}\n}`
  }
  if (additionalProperties === false) return 'Readonly<Record<string, never>>'
  return `Readonly<Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>>`
}

const joined = (schemas: readonly JsonSchema[], operator: '|' | '&'): string => [...new Set(schemas.map(typeOf))].join(` ${operator} `)

/** The type of the values that a schema allows. */
const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return joined(options, '|')
  if (schema.allOf) return joined(schema.allOf, '&')
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`
    case 'integer':
      return 'number'
    case 'number':
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

/** The names that a schema refers to, directly. */
const referencesOf = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name = '']) => nameOf(name))

/** The named schemas that some schemas need, in the order of the document. */
const neededFor = (roots: unknown, schemas: Readonly<Record<string, JsonSchema>>): string[] => {
  const needed = new Set(referencesOf(roots))
  // A set's iteration also reaches what is added meanwhile.
  for (const name of needed) for (const other of referencesOf(schemas[name] ?? {})) needed.add(other)
  return Object.keys(schemas).filter((name) => needed.has(name))
}

const parameterField = ({ name, schema, required, description }: DocumentedParameter): string =>
  field(name, typeOf(schema), required, description)

/** Part of a request, such as its query. It may be left out if all of it may. */
const parameters = (name: 'path' | 'query', operation: DocumentedOperation): string[] => {
  const listed = parametersIn(operation, name)
  if (listed.length === 0) return []
  return [
    field(
      name,
      `{\n${listed.map(parameterField).join('\n')}\n}`,
      listed.some(({ required }) => required),
    ),
  ]
}

/** Schemas of its successful answers in JSON. Undefined: the answer has no body. */
const successes = ({ responses }: DocumentedOperation): (JsonSchema | undefined)[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content['application/json']?.schema)

const operationType = (operation: DocumentedOperation): string => {
  const body = operation.requestBody
  const answers = [...new Set(successes(operation).map((schema) => (schema === undefined ? 'undefined' : typeOf(schema))))]
  const fields = [
    ...parameters('path', operation),
    ...parameters('query', operation),
    ...(body ? [field('body', typeOf(body.content['application/json'].schema), body.required)] : []),
    field('answer', answers.join(' | '), true),
  ]
  return `${comment(operation.summary)}readonly '${operation.method} ${operation.path}': {\n${fields.join('\n')}\n}`
}

const declaration = (name: string, schema: JsonSchema): string => {
  const type = typeOf(schema)
  return `${comment(schema.description)}${type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type}`}`
}

/** Whether it answers pages of the documentation instead of data. */
const isPage = ({ responses }: DocumentedOperation): boolean => responses['200']?.content['text/html'] !== undefined

/** The types of the client: one entry for each operation, and the schemas that these need. */
export const clientTypes = (document: Json): string => {
  const { operations, schemas, events } = readOpenApi(document)
  const offered = operations.filter((operation) => !isOfAgents(operation) && !isPage(operation))
  const payloads = [...new Set(referencesOf(events))]
  const needed = neededFor([offered.map(({ parameters, requestBody, responses }) => [parameters, requestBody, responses]), events], schemas)
  return `// Generated from the OpenAPI document by npm run generate: do not edit.

/** Every operation by its method and path: what its request takes, and what it answers. */
interface Operations {
${offered.map(operationType).join('\n\n')}
}

/** The payload of a webhook. Its \`trigger\` tells which. */
type WebhookPayload = ${payloads.join(' | ')}

${needed.flatMap((name) => declaration(name, schemas[name] ?? {})).join('\n\n')}

export type { ${['Operations', 'WebhookPayload', ...needed].toSorted((a, b) => a.localeCompare(b, 'en')).join(', ')} }
`
}
