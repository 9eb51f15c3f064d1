import type { Component } from './schemas.ts'

/** JSON Schema, or another object of the document. */
export type Json = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly description: string
  readonly schema: Json
  /** Whether it may not be left out of the query. Default: it may. What stands elsewhere is always needed. */
  readonly required?: true
}

export interface DocumentedAnswer {
  readonly description: string
  /** What it holds, as JSON. */
  readonly holds?: Component
  /** Headers of its own. */
  readonly headers?: Json
  /** Its media types when it is no JSON object of the API; none: it has no body. */
  readonly types?: readonly string[]
}

/** What the table of routes does not tell of a function that answers requests. */
export interface ApiOperation {
  /** Heading under which it is listed. */
  readonly tag: string
  readonly description?: string
  /** Parameters of its paths; a path has those that it names. */
  readonly path?: Readonly<Record<string, Parameter>>
  readonly query?: Readonly<Record<string, Parameter>>
  readonly headers?: Readonly<Record<string, Parameter>>
  readonly body?: Component
  /** A body that can be sent as it is. */
  readonly example?: unknown
  /** Whether the body may be a form. Default: only JSON. */
  readonly forms?: boolean
  /** By status. Refusals that any request of its kind may get are not among them. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>
  /** Whether there may be nothing to answer with, although the path has no parameter. */
  readonly mayMiss?: boolean
}
