import type { Component } from './schemas.ts'

/** JSON Schema, or another object of the document. */
export type Json = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly description: string
  readonly schema: Json
  /** Whether a query parameter is required. Default: no. Other parameters are always required. */
  readonly required?: true
}

export interface DocumentedAnswer {
  readonly description: string
  /** Schema of its JSON body. */
  readonly holds?: Component
  /** Further headers. */
  readonly headers?: Json
  /** Media types, if it is not a JSON object of the API. Empty: it has no body. */
  readonly types?: readonly string[]
}

/** Describes a route in the API document, besides its method, path and summary. */
export interface ApiOperation {
  /** The section of the documentation page that lists the operation. */
  readonly tag: string
  readonly description?: string
  /** Path parameters. Several routes may share them: a route has only the ones in its own path. */
  readonly path?: Readonly<Record<string, Parameter>>
  readonly query?: Readonly<Record<string, Parameter>>
  readonly headers?: Readonly<Record<string, Parameter>>
  readonly body?: Component
  /** A valid body. */
  readonly example?: unknown
  /** Whether the body may be a form. Default: only JSON. */
  readonly forms?: boolean
  /** By status. Refusals that any similar request may get are not included. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>
  /** Whether it may answer 404 although the path has no parameter. */
  readonly mayMiss?: boolean
}
