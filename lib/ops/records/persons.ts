import * as v from 'valibot'
import { ConsentRecord } from '#shared/consents/consent.ts'
import { timeOfSequence } from '#shared/platform/sequence.ts'
import { CHANNELS } from '#shared/stops/compliance.ts'
import { StopRecord } from '#shared/stops/stop-record.ts'
import { escaped, RecordParts } from '../check/lines/record.ts'
import { eachLine, type SortedLines } from '../check/lines/sorted-lines.ts'
import type { State } from '../state.ts'
import type { RowLines } from './row-lines.ts'
import { consentRow, type KnownPerson, type RecordRow, type StopOfPhone, stopRow } from './rows.ts'

/**
 * Joins stops and consents with the numbers and names of their persons. A stop knows only a hash of its number. Lines of one phone meet
 * when they are sorted: first the lines that tell who it is.
 */

const Line = v.variant('kind', [
  v.object({ kind: v.literal('0 person'), owner: v.number(), number: v.string(), name: v.nullable(v.string()) }),
  v.object({ kind: v.literal('1 consent'), record: ConsentRecord }),
  v.object({ kind: v.literal('2 record'), record: StopRecord }),
  v.object({ kind: v.literal('3 flag'), accepted: v.string(), channel: v.picklist(CHANNELS) }),
  v.object({ kind: v.literal('4 lift'), time: v.number(), channels: v.array(v.picklist(CHANNELS)), reason: v.string() }),
])
type Line = v.InferOutput<typeof Line>

const StoredLine = v.pipe(v.string(), v.parseJson(), Line)

const END_OF_KEY = '\t'

/** Adds a line about a phone. @param pk the phone's partition key */
export const addPersonLine = (lines: SortedLines, pk: string, line: Line): void =>
  lines.add(`${escaped(pk)}${END_OF_KEY}${line.kind}${END_OF_KEY}${JSON.stringify(line)}`)

const UNKNOWN: KnownPerson = { number: null, name: null }

const NO_ORIGIN = { received_by: null, lead: null, upload_id: null, call_id: null, agent: null, owner: null } as const

type Stop = StopOfPhone['stop']

interface Rows {
  readonly stops: RowLines
  readonly consents: RowLines
}

/** One phone while its lines are read. */
class PhoneLines {
  readonly pk: string
  #known = UNKNOWN
  /** Names that users gave to the person. */
  readonly #names = new Map<number, string>()
  /** Stops with a record, by time and channel. */
  readonly #recorded = new Set<string>()

  constructor(pk: string) {
    this.pk = pk
  }

  /** Takes the next line, and adds the row that it makes, if any. */
  take(line: Line, state: State, { stops, consents }: Rows): void {
    if (line.kind === '0 person') this.#meet(line)
    else if (line.kind === '1 consent') consents.add(this.#consentRow(line.record, state))
    else {
      const stop = this.#stopIn(line)
      if (stop) stops.add(this.#stopRow(stop, state))
    }
  }

  #meet({ owner, number, name }: Extract<Line, { kind: '0 person' }>): void {
    this.#known = { number, name: this.#known.name ?? name }
    if (name !== null && !this.#names.has(owner)) this.#names.set(owner, name)
  }

  #consentRow(record: ConsentRecord, state: State): RecordRow {
    return consentRow(record, { ...this.#known, name: this.#names.get(record.owner) ?? null }, state)
  }

  /** @returns undefined for a flag whose stop has a record */
  #stopIn(line: Extract<Line, { kind: '2 record' | '3 flag' | '4 lift' }>): Stop | undefined {
    if (line.kind === '2 record') {
      const { accepted, ...stop } = line.record
      for (const channel of stop.channels) this.#recorded.add(`${channel} ${accepted}`)
      return { ...stop, time: timeOfSequence(accepted) }
    }
    if (line.kind === '3 flag') {
      const { accepted, channel } = line
      if (this.#recorded.has(`${channel} ${accepted}`)) return undefined
      return { ...NO_ORIGIN, action: 'stopped', channels: [channel], means: null, words: null, time: timeOfSequence(accepted) }
    }
    const { time, channels, reason } = line
    return { ...NO_ORIGIN, time, channels, action: 'lifted', means: 'operator', words: reason }
  }

  #stopRow(stop: Stop, state: State): RecordRow {
    const { owner } = stop
    const name = owner === null ? this.#known.name : (this.#names.get(owner) ?? this.#known.name)
    return stopRow({ pk: this.pk, stop }, { ...this.#known, name }, state)
  }
}

/** Makes the rows of stops and consents. */
export const joinPersons = async (lines: SortedLines, state: State, rows: Rows): Promise<void> => {
  let phone = new PhoneLines('')
  await eachLine(await lines.sorted(), (text) => {
    const end = text.indexOf(END_OF_KEY)
    const pk = new RecordParts(text.slice(0, end)).escapedRest()
    if (pk !== phone.pk) phone = new PhoneLines(pk)
    phone.take(v.parse(StoredLine, text.slice(text.indexOf(END_OF_KEY, end + 1) + 1)), state, rows)
  })
}
