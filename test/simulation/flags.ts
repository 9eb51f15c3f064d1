import * as v from 'valibot'
import { type CommandLine, mistake, readBy } from '#lib/command-line/command-line.ts'

/** Flags of the simulations' command lines, and what reads them. */

type Limits = readonly [least: number, most: number]

export const wholeNumber = ([least, most]: Limits) => {
  const isRight = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most
  return v.pipe(v.string(), v.check(isRight, `a whole number from ${least} to ${most}`), v.transform(Number))
}

export const numberOr = (byDefault: number, limits: Limits) => v.optional(wholeNumber(limits), `${byDefault}`)

/** A flag without a value. */
export const isGiven = v.optional(v.boolean(), false)

export const oneOf = <const Words extends readonly string[]>(words: Words) => v.optional(v.picklist(words, words.join(', ')))

/** A flag that may be repeated. Default: all words. */
export const someOf = <const Words extends readonly string[]>(words: Words) =>
  v.optional(v.array(v.picklist(words, words.join(', '))), () => [...words])

const kindOf = (flag: v.ObjectEntries[string]) => ({ type: v.is(flag, true) ? 'boolean' : 'string', multiple: v.is(flag, []) }) as const

const kindsOf = (flags: v.ObjectEntries) => Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, kindOf(flag)] as const))

/** Parses a command line that has only flags. */
export const readFlags = <Flags extends v.ObjectEntries>(
  args: readonly string[],
  flags: Flags,
): CommandLine<v.InferOutput<v.ObjectSchema<Flags, undefined>>> =>
  readBy({ args: [...args], options: { ...kindsOf(flags), help: { type: 'boolean' } } }, ({ values }) => {
    if (values['help'] === true) return { kind: 'help' }
    const read = v.safeParse(v.object(flags), values)
    if (read.success) return { kind: 'run', options: read.output }
    const [{ message, input, path }] = read.issues
    return mistake(`--${path?.[0]?.key} takes ${message}, not "${input}".`)
  })
