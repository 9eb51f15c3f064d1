import { type ParseArgsConfig, parseArgs } from 'node:util'
import * as v from 'valibot'
import { nearest } from '#shared/http/fields/nearest.ts'
import { npmCallOf } from './npm-call.ts'
import { optionsIn, swallowedBy } from './swallowed-options.ts'

/** Ends the process quietly when the reader of its output has closed it, as `head` does. */
export const endWithReader = (output: NodeJS.WriteStream): void => {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

/** The meaning of a command line. */
export type CommandLine<Options> =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }

export const mistake = (message: string): { readonly kind: 'mistake'; readonly message: string } => ({ kind: 'mistake', message })

/** After a flag, Node takes a word that begins with a dash for the next flag. */
const AMBIGUOUS = /^Option '(--[^' ]+)(?: [^']*)?' argument is ambiguous/
const UNKNOWN = /^Unknown option '--([^']+)'/

/** A mistake of the user in a flag. Only the first sentence of Node's long message is shown: it names the flag. */
const flagMistake = (message: string, flags: readonly string[]) => {
  const [, ambiguous] = AMBIGUOUS.exec(message) ?? []
  if (ambiguous) return mistake(`${ambiguous} needs a value; write a value that begins with a dash as ${ambiguous}=VALUE.`)
  const [, unknown] = UNKNOWN.exec(message) ?? []
  const meant = unknown && nearest(unknown, flags)
  return mistake(`${message.split(/\.(\s|$)/)[0]}.${meant ? ` Did you mean --${meant}?` : ''}`)
}

/** Reads a command line: parses its flags, and passes them to `read`. */
export const readBy = <const Config extends ParseArgsConfig, Options>(
  config: Config,
  read: (parsed: ReturnType<typeof parseArgs<Config>>) => CommandLine<Options>,
): CommandLine<Options> => {
  let parsed: ReturnType<typeof parseArgs<Config>>
  try {
    parsed = parseArgs(config)
  } catch (error) {
    const { message } = v.parse(v.object({ message: v.string() }), error)
    return flagMistake(message, Object.keys(config.options ?? {}))
  }
  return read(parsed)
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
