import { nameOfState } from '#shared/location/rules/state.ts'
import { texts } from '../texts.ts'
import { shortTimeIn, timeOfDayIn, withTimesInWords } from '../times.ts'

const { sentences: words } = texts

/** `NY: Friday 2026-11-20 22:00 in America/New_York is outside 08:00-21:00.`, and how a rule refuses a call in other ways. */
const LOCAL_TIME =
  /(?:\b(federal|default window|account|[A-Z]{2}): )?\b[A-Z][a-z]+day (\d{4}-\d\d-\d\d) (\d\d:\d\d) in ([\w/+-]{1,40})(?: is (outside|the last minute of) (\d\d:\d\d)-(\d\d:\d\d)([^.]{0,60})|: there are ([^.]{0,120}))\./g

const REFUSED_STATUS = /\bLeads in status ([A-Z_]+) are not called\./g

const NOT_UNIQUE = /The fields email, phone_number, company must make a unique set\.(?: Lead (\d+) has this phone number and email\.)?/g

const TOO_MANY_BYTES = /no more than (\d{4,}) bytes(?: of JSON)?\b/g

const STRAY_ZONE = /timezone: [^:]{1,90}, the state from \w{1,40}: the rules of ([A-Z]{2}) apply by the clock of [^.]{1,90}\./g

const RULES: ReadonlyMap<string, string> = new Map(Object.entries(words.rules))

const STATUSES: ReadonlyMap<string, string> = new Map(Object.entries(texts.statuses))

/** `America/New_York` as `New York`. */
const placeIn = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** `8:00 AM` for `08:00`. A day ends at `24:00`. */
const clockInWords = (clock: string): string => timeOfDayIn('UTC', `1970-01-01T${clock}:00Z`)

const localTimeInWords = (...[, rule = '', day, clock, zone = '', how, from = '', until = '', on = '', none = '']: string[]): string => {
  const local = words.localTime(RULES.get(rule) ?? nameOfState(rule), shortTimeIn('UTC', `${day}T${clock}:00Z`), placeIn(zone))
  const refused = how === 'outside' ? words.onlyFrom : words.lastMinute
  return `${local} ${from === '' ? words.thereAre(none) : refused(clockInWords(from), clockInWords(until), on)}`
}

/** A sentence of the API for people who do not know its codes. Its times are by the clock of `zone`, or the viewer's. */
export const sentenceInWords = (text: string, zone?: string): string =>
  withTimesInWords(text, zone)
    .replace(LOCAL_TIME, localTimeInWords)
    .replace(REFUSED_STATUS, (_, code: string) => words.refusedStatus(STATUSES.get(code) ?? code))
    .replace(NOT_UNIQUE, (_, id: string | undefined) => words.notUnique(id))
    .replace(STRAY_ZONE, (_, state: string) => texts.create.warnings.timezone_outside_state(nameOfState(state)))
    .replace('Send a us_state or a zip.', words.addPlace)
    .replace(/^Not scheduled\./, words.notScheduled)
    .replace(TOO_MANY_BYTES, (_, bytes: string) => words.tooManyBytes(Math.floor(Number(bytes) / 1024)))
