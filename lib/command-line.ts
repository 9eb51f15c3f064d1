import { parseArgs } from 'node:util'
import * as v from 'valibot'

/** What a command line asks for. */
export type CommandLine<Options> =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }

export const mistake = (message: string): { readonly kind: 'mistake'; readonly message: string } => ({ kind: 'mistake', message })

/** What follows a flag and begins with a dash is taken for the next flag. */
const AMBIGUOUS = /^Option '(--[^' ]+)[^']*' argument is ambiguous/

/** What `read` makes of a command line. A flag that Node does not take is a mistake: it explains at length, its first sentence names the flag. */
export const readBy = <Options>(read: () => CommandLine<Options>): CommandLine<Options> => {
  try {
    return read()
  } catch (error) {
    const { message } = v.parse(v.object({ message: v.string() }), error)
    const [, flag] = AMBIGUOUS.exec(message) ?? []
    return mistake(flag ? `${flag} takes a value, and none that begins with a dash.` : `${message.split(/\.(\s|$)/)[0]}.`)
  }
}

const isWithin = (text: string, [least, most]: readonly [least: number, most: number]): boolean =>
  /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most

/** The first flag that is no whole number within its limits, in a sentence; undefined when all are. */
export const wrongNumber = <Name extends string>(
  given: Readonly<Record<NoInfer<Name>, string>>,
  limits: Readonly<Record<Name, readonly [least: number, most: number]>>,
): string | undefined => {
  for (const name in limits) {
    const [least, most] = limits[name]
    if (!isWithin(given[name], limits[name])) return `--${name} takes a whole number from ${least} to ${most}, not "${given[name]}".`
  }
  return undefined
}

/** A flag that takes a whole number. */
export const wholeNumber = (byDefault: number, [least, most]: readonly [least: number, most: number]) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check((text) => isWithin(text, [least, most]), `takes a whole number from ${least} to ${most}`),
      v.transform(Number),
    ),
    `${byDefault}`,
  )

/** Reads a command line of nothing but flags that take whole numbers. */
export const readNumbers = <Flags extends Readonly<Record<string, ReturnType<typeof wholeNumber>>>>(
  args: readonly string[],
  flags: Flags,
): CommandLine<v.InferOutput<v.ObjectSchema<Flags, undefined>>> =>
  readBy(() => {
    const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' }] as const))
    const { values } = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } } })
    if (values['help'] === true) return { kind: 'help' }
    const read = v.safeParse(v.object(flags), values)
    if (read.success) return { kind: 'run', options: read.output }
    const [{ message, input, path }] = read.issues
    return mistake(`--${path?.[0]?.key} ${message}, not "${input}".`)
  })

/** Runs what a command line asks for. The process ends with the code that `run` tells, with 0 after help, and with 2 after a mistake. */
export const carryOut = async <Options>(
  commandLine: CommandLine<Options>,
  usage: string,
  run: (options: Options) => Promise<number>,
): Promise<void> => {
  if (commandLine.kind === 'run') process.exitCode = await run(commandLine.options)
  else if (commandLine.kind === 'help') process.stdout.write(usage)
  else {
    process.stderr.write(`${commandLine.message} See --help.\n`)
    process.exitCode = 2
  }
}
