import * as v from 'valibot'
import { findNamed } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { dateField, dateTimeField } from '#shared/http/fields/date-time.ts'
import { phoneField } from '#shared/http/fields/phone.ts'
import { readZones } from '#shared/location/rules/zone-name.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { publicOrigin } from '../public-origin.ts'
import { OpsMistake, OpsRefusal } from './refusal.ts'

const Phone = phoneField()

/** One of the words that a command accepts. Its message replaces that of the parser, which speaks of command-arguments. */
export const choiceOf = (what: string, choices: readonly string[]) =>
  v.picklist(choices, ({ input }) => `There is no ${what} ${input}. Choose one of: ${choices.join(', ')}.`)

/** Parses an operator's input into E.164. @throws OpsMistake when it is not a phone number */
export const phoneNumberOf = (text: string): string => {
  const read = v.safeParse(Phone, text)
  if (read.success) return read.output
  throw new OpsMistake(`"${text}" is not a phone number: ${read.issues[0].message}`)
}

/** @throws OpsMistake when it is not the https address of a tunnel */
export const publicUrlOf = (text: string | undefined): string | undefined => {
  const origin = publicOrigin(text)
  if (origin !== null) return origin
  throw new OpsMistake(`--public-url takes the https address of a tunnel without a path, such as https://calls.example.com, not "${text}".`)
}

/** @throws OpsMistake when it names no time zone */
export const timezoneOf = (text: string | undefined): string | undefined => {
  if (text === undefined || readZones(text).value) return text
  throw new OpsMistake(`--timezone takes a time zone such as America/New_York, not "${text}".`)
}

/**
 * The id of the user that an operator names by key or id.
 * @throws OpsRefusal when there is no such user; OpsMistake when the name is empty
 */
export const userNamed = async (name: string): Promise<number> => {
  if (name.trim() === '') throw new OpsMistake('Name a user by key or id. See: npm run ops -- get users')
  const id = /^\d{1,10}$/.test(name) ? Number(name) : Number((await findNamed('USER', [name])) ?? 0)
  if (id > 0 && (await readUser(id))) return id
  throw new OpsRefusal(`There is no user ${name}. See: npm run ops -- get users`)
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }

/** Parses `90m`, `1h` or `2d` into milliseconds. */
export const Within = v.pipe(
  v.string(),
  v.regex(
    /^[1-9]\d{0,4}[mhd]$/,
    ({ input }) => `--within must be a number of minutes, hours or days, such as 90m, 1h or 2d, not ${input}.`,
  ),
  v.transform((text) => Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0)),
)

const DateTime = dateTimeField()

/** An instant in ISO 8601. */
export const At = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): Instant => {
    const read = v.safeParse(DateTime, dataset.value)
    if (read.success) return read.output
    addIssue({ message: `--at: ${read.issues[0].message}` })
    return NEVER
  }),
)

const Day = dateField()

/** A day, as YYYY-MM-DD. @param option the name of the option */
export const dayOption = (option: string) =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): string => {
      const read = v.safeParse(Day, dataset.value)
      if (read.success) return read.output
      addIssue({ message: `--${option}: ${read.issues[0].message}` })
      return NEVER
    }),
  )
