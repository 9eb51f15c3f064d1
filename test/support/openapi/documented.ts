/** The part of the document's JSON Schema that tests read. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

interface DocumentedAnswer {
  readonly $ref?: string
  /** Undefined when the answer has no body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly headers: Readonly<Record<string, unknown>>
}

export interface Documented {
  readonly method: string
  readonly path: string
  readonly security: string | undefined
  readonly operation: {
    readonly operationId: string
    readonly parameters: readonly DocumentedParameter[]
    readonly responses: Readonly<Record<string, DocumentedAnswer>>
    readonly mediaTypes: readonly string[]
    readonly example: unknown
    readonly bodyName: string | undefined
  }
  /** JSON Schema of the body, with its top reference resolved. */
  readonly body: Schema | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the document
export type OpenApi = any

export const resolved = (document: OpenApi, one: OpenApi): OpenApi =>
  one?.$ref === undefined
    ? one
    : resolved(
        document,
        one.$ref
          .slice(2)
          .split('/')
          .reduce((place: OpenApi, name: string) => place[name], document),
      )

/** All operations of a document. */
export const documented = (document: OpenApi): Documented[] =>
  Object.entries<OpenApi>(document.paths).flatMap(([path, methods]) =>
    Object.entries<OpenApi>(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content ?? {}
      const reference: string | undefined = content['application/json']?.schema.$ref
      return {
        method: method.toUpperCase(),
        path,
        security: operation.security.flatMap(Object.keys)[0],
        operation: {
          operationId: operation.operationId,
          parameters: (operation.parameters ?? []).map((one: OpenApi) => resolved(document, one)),
          responses: Object.fromEntries(
            Object.entries<OpenApi>(operation.responses).map(([status, one]) => [status, resolved(document, one)]),
          ),
          mediaTypes: Object.keys(content),
          example: content['application/json']?.example,
          bodyName: reference?.split('/').at(-1),
        },
        body: resolved(document, content['application/json']?.schema),
      }
    }),
  )
