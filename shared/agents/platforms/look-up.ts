import type * as v from 'valibot'
import type { Advice, Ask, PlatformRequest } from './adapter.ts'
import { ANALYSIS_SCHEMA } from './analysis.ts'
import { isPlatformSuccess, readPlatformAnswer } from './read-answer.ts'

/** A thing of an account that a check reads. */
interface Wanted<S> {
  readonly request: PlatformRequest
  readonly schema: S
  /** Its name in a sentence, such as `the assistant`. */
  readonly thing: string
  /** The advice when there is none. */
  readonly missing: string
}

type Found<T> = { readonly found: T } | { readonly advice: Advice }

/** An answer that is not the thing comes from somebody else, such as a page to sign in, or from a platform in trouble. */
export const unexpectedAnswer = (platform: string, status: number, thing: string): string =>
  status < 400
    ? `${platform} answered ${status}, but not with ${thing}. Check the address of its API, or check again later.`
    : `${platform} answered ${status} when asked for ${thing}. Check again later.`

/** Reads things of an account. @returns advice about a thing that is missing or cannot be read */
export const lookUpAt =
  (platform: string, ask: Ask, refused: string) =>
  async <S extends v.GenericSchema>({ request, schema, thing, missing }: Wanted<S>): Promise<Found<v.InferOutput<S>>> => {
    const { status, text } = await ask(request)
    if (status === 401 || status === 403) return { advice: { problem: refused } }
    if (status === 404) return { advice: { problem: missing } }
    const found = isPlatformSuccess(status) ? readPlatformAnswer(schema, text) : undefined
    if (found !== undefined) return { found }
    return { advice: { problem: unexpectedAnswer(platform, status, thing) } }
  }

/** Whether a structured output, as an object or as text, has all outcomes of ours. */
export const hasOutcomes = (schema: unknown): boolean => {
  const text = typeof schema === 'string' ? schema : (JSON.stringify(schema) ?? '')
  return ANALYSIS_SCHEMA.properties.outcome.enum.every((outcome) => text.includes(outcome))
}

/** Each piece of advice once. */
export const onceEach = (advice: readonly Advice[]): readonly Advice[] =>
  advice.filter(({ problem }, index) => advice.findIndex((other) => other.problem === problem) === index)
