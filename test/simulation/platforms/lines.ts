import { callStatus } from '#shared/calling/rules/call-status.ts'
import { inFamilies } from './families.ts'
import { COURSES, type PlayedCall } from './play-calls.ts'

const WIDTH = 150

/** Cells in columns, the last of which has no width. */
const row = (cells: readonly (string | number)[], widths: readonly number[]): string =>
  cells.map((cell, index) => `${cell}`.padEnd(widths[index] ?? 0)).join('')

/** Words in lines of about `WIDTH` characters. */
const wrapped = (words: readonly string[], indent: string): string[] => {
  const lines: string[] = []
  let line = indent
  for (const [index, word] of words.entries()) {
    const text = index < words.length - 1 ? `${word}; ` : word
    if (line !== indent && line.length + text.length > WIDTH) {
      lines.push(line.trimEnd())
      line = indent
    }
    line += text
  }
  return [...lines, line]
}

const outcomeShown = ({ call }: PlayedCall): string =>
  call.refused_time === null
    ? `${call.outcome ?? 'none'} (${call.reported_outcome ?? '-'})`
    : `refused, ${call.unsent_time ? 'costs nothing' : 'counts'}`

const leadShown = ({ state: { status, status_detail, next_call_time } }: PlayedCall): string =>
  `${status}${status_detail ? ` (${status_detail})` : ''}${next_call_time ? ', called again' : ''}`

const RESULT = [52, 11, 65]

const resultOf = (played: PlayedCall, events: readonly string[]): string =>
  row([outcomeShown(played), callStatus(played.call), leadShown(played), events.join(', ')], RESULT)

/** For each platform: its ends, by what becomes of them. @param events the webhook events of a lead, in order */
export const endLines = (all: readonly PlayedCall[], events: (lead: number) => readonly string[]): string[] => {
  const calls = all.filter(({ course }) => course === 'callbacks')
  return [...Map.groupBy(calls, ({ platform }) => platform)].flatMap(([platform, played]) => {
    const results = new Map(played.map((one) => [one.end, resultOf(one, events(one.lead))]))
    const groups = inFamilies(results)
    return [
      '',
      `${platform}: ${results.size} ends, ${groups.size} results`,
      row(['outcome (as reported)', 'call', 'lead', 'webhook events'], RESULT),
      ...[...groups].flatMap(([result, ends]) => [result.trimEnd(), ...wrapped(ends, '    ')]),
    ]
  })
}

const COSTS = [12, 27, 7, 10, 7, 9, 11, 19, 16]

const costs = ({ platform, course, requests, callbacks, units: { dial, after }, call }: PlayedCall): string =>
  row(
    [
      ...[platform, course, requests.dial, requests.search, requests.read, requests.cancel, callbacks],
      ...[`${dial.read} / ${dial.write}`, `${after.read} / ${after.write}`, call.settled_time === null ? 'goes on' : callStatus(call)],
    ],
    COSTS,
  )

/** The costs of a call on each platform, by the course of the call. */
export const costLines = (all: readonly PlayedCall[], typical: (platform: string) => string | undefined): string[] => {
  const rows = all.filter(({ platform, end }) => end === typical(platform))
  if (rows.length === 0) return []
  const ordered = [...Map.groupBy(rows, ({ platform }) => platform)].flatMap(([, calls]) =>
    calls.toSorted((one, other) => COURSES.indexOf(one.course) - COURSES.indexOf(other.course)),
  )
  return [
    '',
    'Requests to the platform, callbacks, and units of the table (read / write) for one call. A poll reads a call. A look-up searches, and reads',
    'what it found where the list does not show enough. The answer of our own protocol and of Telnyx is not looked up: the request is repeated.',
    row(['platform', 'course', 'dials', 'searches', 'reads', 'cancels', 'callbacks', 'units of the dial', 'units after it', 'call'], COSTS),
    ...ordered.map(costs),
  ]
}
