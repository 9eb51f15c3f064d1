import * as v from 'valibot'
import type { Stack } from './assembly.ts'

/** A place in a template, for error messages. */
export interface Site {
  readonly stack: Stack
  readonly logicalId: string
}

/** @throws Error always, as one sentence with the resource and its stack */
export const fail = (at: Site, problem: string): never => {
  throw new Error(`Resource ${at.logicalId} of stack ${at.stack.name} cannot run locally: ${problem}.`)
}

/** @throws Error that names the resource, its CloudFormation stack and the first malformed field */
export const parseAt = <const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  at: Site,
  what: string,
): v.InferOutput<Schema> => {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const path = v.getDotPath(issue)
  return fail(at, `${path === null ? what : `${what}.${path}`} is not understood: ${issue.message}`)
}

/** CloudFormation writes numbers and booleans as such, or as strings. */
export const numeric = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform((value) => Number(value)),
  v.number(),
)
export const flag = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])]),
  v.transform((value) => value === true || value === 'true'),
)
export const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform((value) => String(value)),
)
