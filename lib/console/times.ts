/** The time zone of the viewer's computer. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const FORM = {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

const formats = new Map<string, Intl.DateTimeFormat>()

/** The zone itself, or UTC. The service may know zones that this browser does not. */
export const shownZone = (timeZone: string): string => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).format(0) && timeZone
  } catch {
    return 'UTC'
  }
}

const formatIn = (zone: string): Intl.DateTimeFormat => new Intl.DateTimeFormat('en-US', { ...FORM, timeZone: shownZone(zone) })

const DAY = 24 * 60 * 60_000

/** `Fri, Nov 20, 2026, 11:00 AM EST` */
export const timeIn = (zone: string, at: string | number): string => {
  const format = formats.get(zone) ?? formatIn(zone)
  formats.set(zone, format)
  return format.format(typeof at === 'number' ? at : Date.parse(at))
}

/** The clock time of a zone, in the format of an input for date and time: `2026-11-20T11:00`. */
export const clockIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at).replace(' ', 'T')

/** The instant at which the clock of a zone shows a time. A time that the clock skips counts as the one after the change. */
export const instantOf = (clock: string, zone: string): number => {
  const wanted = Date.parse(`${clock}Z`)
  const ahead = (at: number): number => Date.parse(`${clockIn(zone, at)}Z`) - Math.floor(at / 60_000) * 60_000
  const candidates = [wanted - ahead(wanted - DAY), wanted - ahead(wanted + DAY)]
  return candidates.find((at) => clockIn(zone, at) === clock) ?? Math.max(...candidates)
}
