import type * as v from 'valibot'
import type { Advice, Ask, PlatformRequest } from './adapter.ts'
import { ANALYSIS_SCHEMA } from './analysis.ts'
import { isPlatformSuccess, readPlatformAnswer } from './read-answer.ts'

/** An object in a platform's account, such as an assistant, that a check reads. */
interface Wanted<S> {
  readonly request: PlatformRequest
  readonly schema: S
  /** The object's name in a sentence, such as `the assistant`. */
  readonly thing: string
  /** The advice when the account has no such object. */
  readonly missing: string
}

type Found<T> = { readonly found: T } | { readonly advice: Advice }

/**
 * The advice for an answer that does not describe the object. It may come from a proxy or a sign-in page, or from a platform in trouble.
 */
export const unexpectedAnswer = (platform: string, status: number, thing: string): string =>
  status < 400
    ? `${platform} answered ${status}, but not with ${thing}. Check the address of its API, or check again later.`
    : `${platform} answered ${status} when asked for ${thing}. Check again later.`

/**
 * Reads objects, such as assistants, of an account on a voice platform.
 * @returns advice about an object that is missing or cannot be read
 */
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

/** Whether a structured output, as an object or as text, allows all of our outcomes. */
export const hasOutcomes = (schema: unknown): boolean => {
  const text = typeof schema === 'string' ? schema : (JSON.stringify(schema) ?? '')
  return ANALYSIS_SCHEMA.properties.outcome.enum.every((outcome) => text.includes(outcome))
}

/** Removes repeated advice. */
export const onceEach = (advice: readonly Advice[]): readonly Advice[] =>
  advice.filter(({ problem }, index) => advice.findIndex((other) => other.problem === problem) === index)
