import { isZone } from '../../platform/values/zones.ts'
import { type PlaceReading, plainText, quote } from './reading.ts'

/** Zones that the runtime knows by a name that the time-zone database has left: old name, name of today. */
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
 * Names of the time-zone database for an offset without summer time that people write all year for the zone that has it: both
 * are meant, so that a call is lawful by either.
 */
const AMBIGUOUS: ReadonlyMap<string, readonly string[]> = new Map([
  ['EST', ['America/New_York', 'America/Panama']],
  ['MST', ['America/Denver', 'America/Phoenix']],
])

/** The three letters that the database has. The runtime takes others too, and some for what nobody means: `AST` for Alaska. */
const SHORT_NAMES = new Set(['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'UTC', 'WET'])

/** No name of a zone is longer. What is no name must not be looked up: the runtime takes its time to find that out. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{1,39}$/

const isName = (text: string): boolean => NAME.test(text) && (text.length > 3 || SHORT_NAMES.has(text.toUpperCase())) && isZone(text)

/** Clients send the same few dozens in a sweep of leads; the name of one is found once. */
const canonical = new Map<string, string>()
const MOST_NAMES = 1000

/** The name of today of a zone that exists, by any of its names. */
const canonicalZone = (name: string): string => {
  const known = canonical.get(name)
  if (known !== undefined) return known
  const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions()
  const today = RENAMED.get(timeZone) ?? timeZone
  if (canonical.size >= MOST_NAMES) canonical.clear()
  canonical.set(name, today)
  return today
}

/** The zones that a name of the time-zone database stands for, by their names of today: one, or two where the name is ambiguous. */
export const readZones = (said: unknown): PlaceReading<readonly string[]> => {
  const text = plainText(said)
  if (text === '') return {}
  if (text === undefined || !isName(text)) return { remark: `${quote(said)} is not a time zone.` }
  return { value: AMBIGUOUS.get(text.toUpperCase()) ?? [canonicalZone(text)] }
}
