import type { NpmCall } from './npm-call.ts'
import { quoted } from './quoted.ts'

/** An option of a command, without its dashes. */
export interface CommandOption {
  readonly name: string
  readonly takesValue: boolean
  /** The option as users write it, if npm knows it by another name. */
  readonly writtenAs?: string
}

const variableOf = (name: string): string => `npm_config_${name.replaceAll('-', '_')}`

/** The options in a usage text, each at the beginning of a line. A word in capitals after one is its value. */
export const optionsIn = (usage: string): CommandOption[] =>
  [...usage.matchAll(/^ {2}--([a-z][a-z-]{0,40})( [A-Z])?/gm)].map(([, name = '', value]) => ({ name, takesValue: value !== undefined }))

type Taken = CommandOption & { readonly value: string }

/** npm separates `--option value` into two. If only one option lacks its value, the last argument is that value. */
const written = (options: readonly Taken[], args: readonly string[]): string => {
  const lacksValue = ({ takesValue, value }: Taken) => takesValue && value === 'true'
  const values = options.filter(lacksValue).length === 1 ? args.slice(-1) : []
  const flags = options.map((option) => {
    const flag = `--${option.writtenAs ?? option.name}`
    if (option.value !== 'true') return `${flag}=${quoted(option.value)}`
    return lacksValue(option) ? `${flag} ${values[0] === undefined ? '…' : quoted(values[0])}` : flag
  })
  return [...args.slice(0, args.length - values.length).map(quoted), ...flags].join(' ')
}

/**
 * npm takes options for itself unless `--` comes before them. The command would run without them.
 * @returns the message about it; undefined when npm took none
 */
export const swallowedBy = (npm: NpmCall | undefined, options: readonly CommandOption[]): string | undefined => {
  const taken = options.flatMap((option) => {
    const value = npm?.given(variableOf(option.name))
    return value ? [{ ...option, value }] : []
  })
  if (npm === undefined || taken.length === 0) return undefined
  const run = npm.script === 'start' ? 'npm start' : `npm run ${npm.script}`
  const names = taken.map(({ name }) => `--${name}`).join(', ')
  return `npm took ${names} for itself, so nothing was done. Write -- before the options of the command:\n\n  ${run} -- ${written(taken, npm.args)}\n`
}
