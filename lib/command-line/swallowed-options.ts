import type { NpmCall } from './npm-call.ts'
import { quoted } from './quoted.ts'

/** An option of a command, without its dashes. */
export interface CommandOption {
  readonly name: string
  readonly takesValue: boolean
  /** The word for its value in the usage text. */
  readonly valueWord?: string
  /** The option as users write it, if npm knows it by another name. */
  readonly writtenAs?: string
}

/** Values that show by their form which option they belong to, by the word for them in usage texts. */
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ['NUMBER', /^\d+$/],
  ['INSTANT', /^\d{4}-\d\d-\d\dT/],
])

const variableOf = (name: string): string => `npm_config_${name.replaceAll('-', '_')}`

/** The options in a usage text, each at the beginning of a line. A word in capitals after one is its value. */
export const optionsIn = (usage: string): CommandOption[] =>
  [...usage.matchAll(/^ {2}--([a-z][a-z-]{0,40})(?: ([A-Z]{1,40}))?/gm)].map(([, name = '', valueWord]) =>
    valueWord === undefined ? { name, takesValue: false } : { name, takesValue: true, valueWord },
  )

type Taken = CommandOption & { readonly value: string }

const lacksValue = ({ takesValue, value }: Taken): boolean => takesValue && value === 'true'

/**
 * The last arguments as values of these options: by their form, and the last one of both because it is left. Empty when that is unclear.
 */
const valuesFor = (options: readonly Taken[], args: readonly string[]): ReadonlyMap<Taken, string> => {
  const values = new Set(args.slice(-options.length))
  const found = new Map<Taken, string>()
  const take = (option: Taken | undefined, fitting: readonly string[]): void => {
    const [value] = fitting
    if (option === undefined || value === undefined || fitting.length > 1) return
    found.set(option, value)
    values.delete(value)
  }
  for (const option of options) {
    const form = FORMS.get(option.valueWord ?? '')
    if (form)
      take(
        option,
        [...values].filter((value) => form.test(value)),
      )
  }
  const left = options.filter((option) => !found.has(option))
  if (left.length === 1) take(left[0], [...values])
  return found.size === options.length ? found : new Map()
}

/** npm separates `--option value` into two: the values are among the arguments. */
const written = (options: readonly Taken[], args: readonly string[]): string => {
  const lacking = options.filter(lacksValue)
  const values = lacking.length === 0 ? new Map<Taken, string>() : valuesFor(lacking, args)
  const flags = options.map((option) => {
    const flag = `--${option.writtenAs ?? option.name}`
    // npm gives an empty value for `--no-option`, and for `--option=` whose value is an unset variable of the shell.
    if (option.value === '') return option.takesValue ? `${flag} …` : `--no-${option.name}`
    if (option.value !== 'true') return `${flag}=${quoted(option.value)}`
    const value = values.get(option)
    return lacksValue(option) ? `${flag} ${value === undefined ? '…' : quoted(value)}` : flag
  })
  return [...args.slice(0, args.length - values.size).map(quoted), ...flags].join(' ')
}

/**
 * npm takes options for itself unless `--` comes before them. The command would run without them.
 * @returns the message about it; undefined when npm took none
 */
export const swallowedBy = (npm: NpmCall | undefined, options: readonly CommandOption[]): string | undefined => {
  const taken = options.flatMap((option) => {
    const value = npm?.given(variableOf(option.name))
    return value === undefined ? [] : [{ ...option, value }]
  })
  if (npm === undefined || taken.length === 0) return undefined
  const run = npm.script === 'start' ? 'npm start' : `npm run ${npm.script}`
  const names = taken.map(({ name, writtenAs }) => `--${writtenAs ?? name}`).join(', ')
  return `npm took ${names} for itself, so nothing was done. Write -- before the options of the command:\n\n  ${run} -- ${written(taken, npm.args)}\n\nCheck the command before you run it: npm also takes mistyped options, and these are missing here.\n`
}
