import * as v from 'valibot'
import type { Json } from './operation.ts'

/** The part of JSON Schema that the document uses to describe types. */
export interface JsonSchema {
  readonly $ref?: string | undefined
  readonly type?: string | undefined
  readonly description?: string | undefined
  readonly const?: unknown
  readonly enum?: readonly unknown[] | undefined
  readonly anyOf?: readonly JsonSchema[] | undefined
  readonly oneOf?: readonly JsonSchema[] | undefined
  readonly allOf?: readonly JsonSchema[] | undefined
  readonly items?: JsonSchema | undefined
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: boolean | JsonSchema | undefined
}

const Nested: v.GenericSchema<JsonSchema> = v.lazy(() => Schema)

const Schema = v.object({
  $ref: v.optional(v.string()),
  type: v.optional(v.string()),
  description: v.optional(v.string()),
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  anyOf: v.optional(v.array(Nested)),
  oneOf: v.optional(v.array(Nested)),
  allOf: v.optional(v.array(Nested)),
  items: v.optional(Nested),
  properties: v.optional(v.record(v.string(), Nested)),
  required: v.optional(v.array(v.string())),
  additionalProperties: v.optional(v.union([v.boolean(), Nested])),
})

const Parameter = v.object({
  name: v.string(),
  in: v.picklist(['path', 'query', 'header']),
  required: v.optional(v.boolean(), false),
  description: v.string(),
  schema: Schema,
})

/** Answers that the document refers to are refusals and 304: only the other answers have a body of their own. */
const Answer = v.object({ content: v.optional(v.record(v.string(), v.object({ schema: Schema })), {}) })

const JsonBody = v.object({ 'application/json': v.object({ schema: Schema, example: v.optional(v.unknown()) }) })

const Operation = v.object({
  operationId: v.string(),
  tags: v.tuple([v.string()]),
  summary: v.string(),
  // The only parameters that are references are headers that many operations share.
  parameters: v.optional(v.array(v.union([Parameter, v.object({ $ref: v.string() })])), []),
  requestBody: v.optional(v.object({ required: v.boolean(), content: JsonBody })),
  responses: v.record(v.string(), Answer),
  security: v.array(v.record(v.string(), v.unknown())),
})

const Document = v.object({
  info: v.object({ title: v.string(), version: v.string() }),
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  webhooks: v.record(
    v.string(),
    v.object({ post: v.object({ tags: v.tuple([v.string()]), requestBody: v.object({ content: JsonBody }) }) }),
  ),
  components: v.object({ schemas: v.record(v.string(), Schema) }),
})

export type DocumentedParameter = v.InferOutput<typeof Parameter>

export interface DocumentedOperation extends v.InferOutput<typeof Operation> {
  readonly method: string
  readonly path: string
}

/** The document, with its operations as one list. Clients are generated from it. */
export const readOpenApi = (document: Json) => {
  const { info, paths, webhooks, components } = v.parse(Document, document)
  const operations: DocumentedOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  // Leave out the webhooks that describe requests to voice agents.
  const events = Object.values(webhooks).filter(({ post }) => post.tags[0] === 'Events')
  return { info, operations, schemas: components.schemas, events: events.map(({ post }) => post.requestBody.content) }
}

/** Whether voice agents and their platforms send it. They sign their requests, or have a token of their own. */
export const isOfAgents = ({ security }: DocumentedOperation): boolean =>
  security.some((scheme) => Object.keys(scheme).some((name) => name !== 'token'))

/** The parameters of a place. */
export const parametersIn = ({ parameters }: DocumentedOperation, place: DocumentedParameter['in']): readonly DocumentedParameter[] =>
  parameters.filter((parameter) => 'in' in parameter).filter((parameter) => parameter.in === place)
