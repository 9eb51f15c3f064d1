import * as v from 'valibot'

/** What a command line asks for. */
export type CommandLine<Options> =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }

export const mistake = (message: string): { readonly kind: 'mistake'; readonly message: string } => ({ kind: 'mistake', message })

/** What `read` makes of a command line. A flag that Node does not take is a mistake: it explains at length, its first sentence names the flag. */
export const readBy = <Options>(read: () => CommandLine<Options>): CommandLine<Options> => {
  try {
    return read()
  } catch (error) {
    const { message } = v.parse(v.object({ message: v.string() }), error)
    return mistake(`${message.split(/\.(\s|$)/)[0]}.`)
  }
}

/** The first flag that is no whole number within its limits, in a sentence; undefined when all are. */
export const wrongNumber = <Name extends string>(
  given: Readonly<Record<NoInfer<Name>, string>>,
  limits: Readonly<Record<Name, readonly [least: number, most: number]>>,
): string | undefined => {
  for (const name in limits) {
    const [least, most] = limits[name]
    const isRight = /^\d{1,10}$/.test(given[name]) && Number(given[name]) >= least && Number(given[name]) <= most
    if (!isRight) return `--${name} takes a whole number from ${least} to ${most}, not "${given[name]}".`
  }
  return undefined
}

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
