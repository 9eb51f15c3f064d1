import { isZone } from '../../platform/values/zones.ts'
import { type PlaceReading, plainText, quote } from './reading.ts'

/** The runtime still uses names that the time-zone database has replaced: old name, present name. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])

/**
 * Database names of a fixed offset, without summer time. People also write them all year for the zone that has summer time. Both zones
 * count, so that a call is lawful in either.
 */
const AMBIGUOUS: ReadonlyMap<string, readonly string[]> = new Map([
  ['EST', ['America/New_York', 'America/Panama']],
  ['MST', ['America/Denver', 'America/Phoenix']],
])

/** The three-letter names in the database. The runtime accepts others, some with an unexpected meaning: `AST` is Alaska. */
const SHORT_NAMES = new Set(['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'UTC', 'WET'])

/** No zone name is longer. Check this before the lookup: the runtime is slow to reject a name. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{1,39}$/

const isName = (text: string): boolean => NAME.test(text) && (text.length > 3 || SHORT_NAMES.has(text.toUpperCase())) && isZone(text)

/** A cache, because the leads of a sweep share a few dozen names. */
const canonical = new Map<string, string>()
const MOST_NAMES = 1000

/** The present name of an existing zone, given any of its names. */
const canonicalZone = (name: string): string => {
  const known = canonical.get(name)
  if (known !== undefined) return known
  const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions()
  const today = RENAMED.get(timeZone) ?? timeZone
  if (canonical.size >= MOST_NAMES) canonical.clear()
  canonical.set(name, today)
  return today
}

/** The zones that a name stands for, by their present names: one, or two when the name is ambiguous. */
export const readZones = (said: unknown): PlaceReading<readonly string[]> => {
  const text = plainText(said)
  if (text === '') return {}
  if (text === undefined || !isName(text)) return { remark: `${quote(said)} is not a time zone.` }
  return { value: AMBIGUOUS.get(text.toUpperCase()) ?? [canonicalZone(text)] }
}
