import * as v from 'valibot'
import { npmCallOf } from './npm-call.ts'
import { optionsIn, swallowedBy } from './swallowed-options.ts'

/** The meaning of a command line. */
export type CommandLine<Options> =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }

export const mistake = (message: string): { readonly kind: 'mistake'; readonly message: string } => ({ kind: 'mistake', message })

/** After a flag, Node takes a word that begins with a dash for the next flag. */
const AMBIGUOUS = /^Option '(--[^' ]+)(?: [^']*)?' argument is ambiguous/

/**
 * Reads a command line with `read`. A flag that Node refuses is a mistake of the operator. Only the first sentence of Node's long message is
 * shown: it names the flag.
 */
export const readBy = <Options>(read: () => CommandLine<Options>): CommandLine<Options> => {
  try {
    return read()
  } catch (error) {
    const { message } = v.parse(v.object({ message: v.string() }), error)
    const [, flag] = AMBIGUOUS.exec(message) ?? []
    return mistake(
      flag ? `${flag} needs a value; write a value that begins with a dash as ${flag}=VALUE.` : `${message.split(/\.(\s|$)/)[0]}.`,
    )
  }
}

/**
 * Runs a command line. The exit code is the result of `run`, 0 after help, and 2 after a mistake. Options that npm took for itself are a
 * mistake too.
 */
export const runCommand = async <Options>(
  commandLine: CommandLine<Options>,
  usage: string,
  run: (options: Options) => Promise<number>,
): Promise<void> => {
  const swallowed = swallowedBy(npmCallOf(process), optionsIn(usage))
  if (swallowed === undefined && commandLine.kind === 'run') process.exitCode = await run(commandLine.options)
  else if (commandLine.kind === 'help') process.stdout.write(usage)
  else {
    process.stderr.write(swallowed ?? (commandLine.kind === 'mistake' ? `${commandLine.message} See --help.\n` : ''))
    process.exitCode = 2
  }
}
