import * as v from 'valibot'

/** Whether an event matches a pattern. */
export type Matcher = (event: unknown) => boolean

type LeafTest = (values: readonly unknown[]) => boolean

const literal = v.union([v.string(), v.number(), v.boolean(), v.null()])
const texts = v.union([v.string(), v.array(v.string())])
const comparison = v.picklist(['=', '<', '<=', '>', '>='])
const exists = v.strictObject({ exists: v.boolean() })
const prefix = v.strictObject({ prefix: v.string() })
const suffix = v.strictObject({ suffix: v.string() })
const ignoreCase = v.strictObject({ 'equals-ignore-case': v.string() })
const anythingBut = v.strictObject({ 'anything-but': v.union([literal, v.array(literal)]) })
const anythingButPrefix = v.strictObject({ 'anything-but': v.strictObject({ prefix: texts }) })
const numeric = v.strictObject({
  numeric: v.union([v.tuple([comparison, v.number()]), v.tuple([comparison, v.number(), comparison, v.number()])]),
})

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const compare = (operator: v.InferOutput<typeof comparison>, left: number, right: number): boolean => {
  if (operator === '=') return left === right
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}

const leafTest = (alternative: unknown): LeafTest => {
  const text =
    (test: (value: string) => boolean): LeafTest =>
    (values) =>
      values.some((value) => typeof value === 'string' && test(value))
  if (v.is(literal, alternative)) return (values) => values.includes(alternative)
  if (v.is(exists, alternative)) return (values) => values.length > 0 === alternative.exists
  if (v.is(prefix, alternative)) return text((value) => value.startsWith(alternative.prefix))
  if (v.is(suffix, alternative)) return text((value) => value.endsWith(alternative.suffix))
  if (v.is(ignoreCase, alternative)) return text((value) => value.toLowerCase() === alternative['equals-ignore-case'].toLowerCase())
  if (v.is(anythingBut, alternative)) {
    const excluded: readonly unknown[] = [alternative['anything-but']].flat()
    return (values) => values.some((value) => !excluded.includes(value))
  }
  if (v.is(anythingButPrefix, alternative)) {
    const excluded = [alternative['anything-but'].prefix].flat()
    return text((value) => !excluded.some((start) => value.startsWith(start)))
  }
  if (v.is(numeric, alternative)) {
    const [first, low, second, high] = alternative.numeric
    return (values) =>
      values.some(
        (value) =>
          typeof value === 'number' &&
          compare(first, value, low) &&
          (second === undefined || high === undefined || compare(second, value, high)),
      )
  }
  throw new Error(`The event pattern ${JSON.stringify(alternative)} is not understood here.`)
}

/** Only leaves count as values, as on AWS: for `exists`, an object counts as absent. */
const leavesOf = (value: unknown): readonly unknown[] => [value].flat().filter((leaf) => leaf !== undefined && !isObject(leaf))

/**
 * Compiles an event pattern of EventBridge or of a Lambda event filter. Both have the same language. Throws for unsupported forms, so that
 * they fail the start of the service instead of losing events.
 */
export const compilePattern = (pattern: Readonly<Record<string, unknown>>): Matcher => {
  const fields = Object.entries(pattern).map(([name, expected]): Matcher => {
    if (Array.isArray(expected)) {
      const tests = expected.map(leafTest)
      return (event) => tests.some((test) => test(leavesOf(isObject(event) ? event[name] : undefined)))
    }
    if (!isObject(expected) || name === '$or') throw new Error(`The event pattern field "${name}" is not understood here.`)
    const nested = compilePattern(expected)
    return (event) => {
      const found: unknown = isObject(event) ? event[name] : undefined
      return Array.isArray(found) ? found.some(nested) : nested(found)
    }
  })
  return (event) => fields.every((field) => field(event))
}

/** An empty list matches everything. Several patterns are alternatives. */
export const compilePatterns = (patterns: readonly Readonly<Record<string, unknown>>[]): Matcher => {
  const matchers = patterns.map(compilePattern)
  return (event) => matchers.length === 0 || matchers.some((matches) => matches(event))
}
