import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import { LANGUAGE } from './texts.ts'

/** The time zone of the viewer's computer. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const
const SHORT = { ...CLOCK, weekday: 'short', month: 'short', day: 'numeric' } as const
const DATE = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' } as const
const FORMS = {
  clock: CLOCK,
  short: SHORT,
  exact: { ...SHORT, second: '2-digit' },
  date: DATE,
  full: { ...SHORT, year: 'numeric', timeZoneName: 'short' },
} as const

const formats = new Map<string, Intl.DateTimeFormat>()

/** The zone itself, or UTC. The service may know zones that this browser does not. */
export const shownZone = (timeZone: string): string => {
  try {
    return new Intl.DateTimeFormat(LANGUAGE, { timeZone }).format(0) && timeZone
  } catch {
    return 'UTC'
  }
}

const formatted = (form: keyof typeof FORMS, zone: string, at: string | number): string => {
  const name = `${form} ${zone}`
  const format = formats.get(name) ?? new Intl.DateTimeFormat(LANGUAGE, { ...FORMS[form], timeZone: shownZone(zone) })
  formats.set(name, format)
  return format.format(typeof at === 'number' ? at : Date.parse(at))
}

/** `Fri, Nov 20, 2026, 11:00 AM EST` */
export const timeIn = (zone: string, at: string | number): string => formatted('full', zone, at)

const MACHINE_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)/g

/** A sentence of the API, with its machine times in words and by the clock of a zone: the viewer's if none is given. */
export const withTimesInWords = (text: string, zone: string = ownZone()): string =>
  text.replace(MACHINE_TIME, (time) => (Number.isNaN(Date.parse(time)) ? time : timeIn(zone, time)))

/** `Fri, Nov 20, 11:00 AM` */
export const shortTimeIn = (zone: string, at: string | number): string => formatted('short', zone, at)

/** `Fri, Nov 20, 11:00:07 AM` */
export const exactTimeIn = (zone: string, at: string | number): string => formatted('exact', zone, at)

/** `11:00 AM` */
export const timeOfDayIn = (zone: string, at: string | number): string => formatted('clock', zone, at)

/** `Fri, Nov 20, 2026` for `2026-11-20` */
export const dayInWords = (day: string): string => formatted('date', 'UTC', `${day}T00:00:00Z`)

/** The clock time of a zone, in the format of an input for date and time: `2026-11-20T11:00`. The Swedish format comes closest. */
export const clockIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at).replace(' ', 'T')

/** The last time that the API takes, for inputs: otherwise, their years may have six digits. */
export const LAST_CLOCK = '9999-12-31T23:59'

/**
 * The instant at which the clock of a zone shows a time. A time that the clock skips counts as the one after the change.
 * @returns NaN when the text is no time
 */
export const instantOf = (clock: string, zone: string): number => {
  const wanted = Date.parse(`${clock}Z`)
  if (Number.isNaN(wanted)) return wanted
  const ahead = (at: number): number => Date.parse(`${clockIn(zone, at)}Z`) - Math.floor(at / MINUTE) * MINUTE
  const candidates = [wanted - ahead(wanted - DAY), wanted - ahead(wanted + DAY)]
  return candidates.find((at) => clockIn(zone, at) === clock) ?? Math.max(...candidates)
}
