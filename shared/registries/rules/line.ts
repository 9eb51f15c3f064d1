import { dayOf } from '../../platform/values/day.ts'

/** A line of a file of a registry. */
export interface RegistryLine {
  /** In E.164. */
  readonly phoneNumber: string
  /** In a list of changes: what happened to the number, and on which day. */
  readonly change: { readonly isAdded: boolean; readonly day: string } | undefined
}

/** `212,5550100` is the form of the national registry. The others are forms that lists of states use. */
const NUMBER = /^"?(?:\+?1[-. ]?)?\(?(\d{3})\)?"?[-,. ]? ?"?(\d{3})[-. ]?(\d{4})"?(?:,(.*))?$/

const DAY_FORMS = [/^(?<year>\d{4})-?(?<month>\d\d)-?(?<day>\d\d)$/, /^(?<month>\d\d)[-/](?<day>\d\d)[-/](?<year>\d{4})$/]

/** As YYYY-MM-DD; undefined when there is no such day. */
export const readDay = (text: string): string | undefined => {
  for (const form of DAY_FORMS) {
    const { year, month, day } = form.exec(text)?.groups ?? {}
    if (year === undefined) continue
    const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
    const iso = Number.isNaN(time) ? undefined : dayOf(time)
    return iso?.endsWith(`-${day}`) ? iso : undefined
  }
  return undefined
}

/** The fields after the number, in either order: the day of the change, and A or D. */
const changeOf = (fields: readonly string[]): RegistryLine['change'] => {
  const kind = fields.find((field) => /^[AD]$/i.test(field))
  const days = fields.flatMap((field) => readDay(field) ?? [])
  const [day] = days
  return kind !== undefined && day !== undefined && fields.length === 2 ? { isAdded: kind.toUpperCase() === 'A', day } : undefined
}

/** @returns undefined when the line has another form */
export const readRegistryLine = (line: string): RegistryLine | undefined => {
  const [, area, exchange, rest, more] = NUMBER.exec(line) ?? []
  if (area === undefined) return undefined
  const phoneNumber = `+1${area}${exchange}${rest}`
  if (more === undefined) return { phoneNumber, change: undefined }
  const change = changeOf(more.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1')))
  return change && { phoneNumber, change }
}
