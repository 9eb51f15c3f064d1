import { type CallingRules, type Duty, enactedRows, type PendingRow } from '#shared/calling/rules/calling-rules.ts'
import {
  datesText,
  type EnactedRow,
  flagTexts,
  holidaysText,
  hoursText,
  lawChanges,
  placeText,
  statusOn,
  windowsText,
} from '../calling-rules/describe.ts'
import { presentRules } from '../calling-rules/read-rules.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

const listed = (texts: readonly string[]): string => texts.join('; ')

/** A change of one row, or a duty that begins. */
interface Change {
  readonly from: string
  readonly cells: readonly string[]
}

/** The changes besides the hours and the cap, which have columns of their own. */
const besidesHours = (before: EnactedRow, row: EnactedRow, rules: CallingRules): string =>
  listed(lawChanges(before, row, [rules, rules]).filter((text) => !/^(hours|calls to a person): /.test(text)))

const changesOf = (place: string, rows: readonly EnactedRow[], all: CallingRules): Change[] =>
  rows.flatMap((row, index) => {
    const before = rows[index - 1]
    if (row.from === null || !before) return []
    const [was, is] = [hoursText(before), hoursText(row)]
    const cited = row.citations.filter((citation) => !before.citations.includes(citation))
    return {
      from: row.from,
      cells: [
        ...[row.from, placeText(place), statusOn(row, all.asOf), was, is === was ? 'the same' : is],
        ...[besidesHours(before, row, all), listed(cited)],
      ],
    }
  })

/** The things to say, in the words that agents get. */
const saidText = ({ say, within_seconds }: Duty): string =>
  say ? ` To say: ${say.map(code).join(', ')}${within_seconds ? `, within ${within_seconds} seconds` : ''}.` : ''

const dutyCells = (duty: Duty, asOf: string): string[] => [
  duty.from ?? (duty.enactment === 'pending' ? 'not known' : 'before 2019'),
  placeText(duty.jurisdiction),
  statusOn(duty, asOf),
  `${duty.what}${saidText(duty)}`,
  `${listed(duty.citations).replace(/\.$/, '')}. Confidence: ${duty.confidence}. ${duty.note}`.trim(),
]

const provenance = ({ citations, sources, confidence, note }: EnactedRow | PendingRow): string[] => [
  `  - Citation: ${listed(citations)}`,
  `  - Confidence: ${confidence}. ${note}`.trimEnd(),
  ...(sources.length > 0 ? [`  - Read at: ${listed(sources)}`] : []),
]

const rowText = (row: EnactedRow, rules: CallingRules): string =>
  [
    `- **${statusOn(row, rules.asOf)}, ${datesText(row)}:** ${hoursText(row)}`,
    ...(row.holidays === 'none' ? [] : [`  - Holidays: ${holidaysText(row, rules)}`]),
    ...flagTexts(row).map((text) => `  - Also: ${text}`),
    ...provenance(row),
  ].join('\n')

const pendingText = (row: PendingRow): string =>
  [`- **pending, not applied:** ${row.change}${row.windows === null ? '' : ` ${windowsText(row.windows)}`}`, ...provenance(row)].join('\n')

const section = (place: string, rows: readonly (EnactedRow | PendingRow)[], rules: CallingRules): string[] => [
  `### ${placeText(place)}`,
  rows
    .toReversed()
    .map((row) => (row.enactment === 'pending' ? pendingText(row) : rowText(row, rules)))
    .join('\n'),
]

/** A line for each text that is enacted but not in force yet, and for each bill. */
const coming = ({ asOf, duties, jurisdictions }: CallingRules, changes: readonly Change[]): string[] => {
  const rows = changes.flatMap(({ from, cells: [, where, status, , after, also, cited] }) =>
    status === 'enacted' ? `- ${where}, from ${from} on: ${also === '' ? after : also} (${cited})` : [],
  )
  const bills = Object.entries(jurisdictions).flatMap(([jurisdiction, texts]) =>
    texts.flatMap((row) => (row.enactment === 'pending' ? { ...row, jurisdiction, what: row.change } : [])),
  )
  const others = [...duties, ...bills].flatMap((text) => {
    const status = statusOn(text, asOf)
    if (status !== 'enacted' && status !== 'pending') return []
    const when = status === 'pending' ? 'not law yet' : `from ${text.from} on`
    return `- ${placeText(text.jurisdiction)}, ${when}: ${text.what} (${listed(text.citations)})`
  })
  return [...rows, ...others]
}

/** The calling rules, with what changes when, and how far each can be relied on. */
export const callingRulesPage = (rules: CallingRules = presentRules()): string => {
  const { asOf, jurisdictions, federal, duties, watch } = rules
  const places = Object.entries(jurisdictions).toSorted(([one], [other]) => placeText(one).localeCompare(placeText(other)))
  const changes = [
    ...changesOf('federal', federal, rules),
    ...places.flatMap(([place, texts]) => changesOf(place, enactedRows(texts), rules)),
  ].toSorted((one, other) => other.from.localeCompare(one.from))
  const low = places.flatMap(([place, rows]) =>
    enactedRows(rows).flatMap((row) => (row.confidence === 'low' ? [[placeText(place), datesText(row), hoursText(row), row.note]] : [])),
  )
  return markdownPage(
    '# Calling rules',
    `> **These rules are not legal advice.** They come from our own reading of public sources, and that reading may be wrong. Have a lawyer read
> them, and the texts that they cite, before the first call and again when the law changes.`,
    `The rules were last read on ${asOf}. The status of each rule in this page is as of that day. The service itself goes by the date of each
call: it applies the text that is in force on that local day, and a change takes effect at local midnight. The rules are about sales calls by
automated, prerecorded or artificial voices. Hours are in the local time of the person. No call starts in the last minute. A call must be inside the federal hours, and also inside the hours of the place.`,
    '## What changes when',
    'The newest change comes first. If the hours are the same, the row shows a change of holidays, duties or citations.',
    markdownTable(
      ['Date', 'Where', 'Status', 'Hours before', 'Hours after', 'Also', 'New citation'],
      changes.map(({ cells }) => cells),
    ),
    '## Duties that are not about hours',
    `The service tells the agent of each call what it must say ([how](../voice-agents.md#what-the-agent-must-say)). It does not hear whether the agent
says it. The service applies [revocations](../compliance.md#stops) to all leads. It checks [consent](../compliance.md#consent) and [reassigned
numbers](../compliance.md#reassigned-numbers) for lead types that say so. It only lists the other duties.`,
    markdownTable(
      ['Since', 'Where', 'Status', 'Duty', 'Citation and confidence'],
      duties.map((duty) => dutyCells(duty, asOf)),
    ),
    '## What is most uncertain',
    `Each rule has a confidence. High: the text was read or quoted, and another source agrees. Medium: one of these is missing. Low: sources
contradict each other, or no text was found. Where a text is uncertain, the stricter reading applies. These rules have a low confidence:`,
    markdownTable(['Where', 'When', 'Hours', 'Why'], low),
    'These texts change often, or are expected to change:',
    [...coming(rules, changes), ...watch.map(({ jurisdiction, item }) => `- ${placeText(jurisdiction)}: ${item}`)].join('\n'),
    '## All rules',
    `The newest text of each place comes first. ${code('shared/data/calling-rules.json')} holds the same data for programs.`,
    ...section('federal', federal, rules),
    ...places.flatMap(([place, rows]) => section(place, rows, rules)),
  )
}
