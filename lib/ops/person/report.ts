import { ITEM_TYPES, type ItemType } from '#shared/platform/keys.ts'
import { counted } from '../output.ts'
import type { LettersFound } from './dead-letters.ts'
import { isStuck } from './erase-items.ts'
import type { PersonItem } from './person-items.ts'
import type { SoughtPerson } from './sought.ts'
import type { KeptStop } from './stops.ts'
import type { Survey } from './survey.ts'

type Counts = Readonly<Partial<Record<ItemType | typeof OTHER, number>>>

/** The report of an erasure, before or after it. */
export interface ErasureReport {
  readonly phone_number: string
  readonly owner: number | null
  readonly erased: boolean
  readonly lead_ids: readonly number[]
  /** Counts of erased items, by type. */
  readonly removed: Counts
  /** Counts of other people's items from which the number is removed, by type. */
  readonly redacted: Counts
  readonly files: number
  readonly reports: number
  readonly dead_letters: number
  /** Approximate number of dead letters that could not be searched. */
  readonly dead_letters_unseen: number
  readonly kept_stops: readonly KeptStop[]
  /** Keys of files of records that hold the number. They stay. Null: not searched. */
  readonly record_files: readonly string[] | null
  /** Days, as YYYY-MM-DD, with erased calls or consents of which `records` has written no files. */
  readonly unexported_days: readonly string[]
  /** Keys of items that still mention the number. */
  readonly left: readonly string[]
  /** A sentence that names the places that were not searched, and how to search them. Null: everything was searched. */
  readonly not_searched: string | null
}

/** Words for types whose name people do not know. */
const WORDS: Readonly<Record<string, string>> = {
  sms: 'text message',
  timer: 'promise',
  task: 'update',
  'inbound-call': 'inbound call',
  'upsert-guard': 'upsert mark',
  idempotency: 'answer',
  stop: 'stop record',
  'consent-state': 'consent summary',
  'reassigned-answers': 'reassignment check',
}

/** A sentence about the places that a search by keys leaves out; null after a search of the whole table. */
export const notSearched = ({ everywhere }: Pick<SoughtPerson, 'everywhere'>): string | null =>
  everywhere
    ? null
    : "Not searched: other people's records and the configuration, which may mention the number, data that version 1.0.2 or older stored away from its lead, files of records, and uploaded files other than the last six that wrote a lead of the person. Files are deleted 90 days after their upload. Use --everywhere to search the whole table and all files."

const OTHER = 'configuration'
/** Without marks: they only find the other items. */
const ALL = [...ITEM_TYPES.filter((type) => type !== 'mark'), OTHER] as const

/** Counts in a fixed order. The scan has none. */
const countsOf = (items: readonly PersonItem[]): Counts => {
  const found = Map.groupBy(items, ({ type }) => type ?? OTHER)
  return Object.fromEntries(ALL.flatMap((type) => (found.has(type) ? [[type, found.get(type)?.length]] : [])))
}

const countsText = (counts: Counts): string[] =>
  ALL.flatMap((type) => {
    const count = counts[type]
    const word = WORDS[type] ?? type
    return count === undefined ? [] : counted(count, word, several(word))
  })

interface Rest {
  readonly stops: readonly KeptStop[]
  readonly letters: LettersFound
  readonly recordFiles: readonly string[] | null
  readonly unexported: readonly string[]
  readonly erased: boolean
}

const stuckIn = ({ items }: Survey, sought: SoughtPerson): PersonItem[] => items.filter((item) => isStuck(item, sought))

/** Keys of items that only the operator or their owner can change. */
export const leftIn = (survey: Survey, sought: SoughtPerson): string[] =>
  stuckIn(survey, sought)
    .map(({ key }) => `${key.pk} ${key.sk}`)
    .toSorted()

export const reportOf = (
  survey: Survey,
  sought: SoughtPerson,
  { stops, letters, recordFiles, unexported, erased }: Rest,
): ErasureReport => {
  const { items, uploads } = survey
  const stuck = stuckIn(survey, sought)
  const others = items.filter((item) => !stuck.includes(item))
  const leads = others.filter(({ type, fate }) => type === 'lead' && fate === 'person')
  return {
    phone_number: sought.phoneNumber,
    owner: sought.owner ?? null,
    erased,
    lead_ids: leads.map(({ item }) => Number(item['id'])).toSorted((a, b) => a - b),
    removed: countsOf(others.filter(({ fate }) => fate !== 'redact')),
    redacted: countsOf(others.filter(({ fate }) => fate === 'redact')),
    files: uploads.reduce((sum, { files }) => sum + files.size, 0),
    reports: uploads.filter(({ reports }) => reports.size > 0).length,
    dead_letters: letters.about,
    dead_letters_unseen: letters.unseen,
    kept_stops: stops
      .map(({ dnc_group, call_dnc, sms_dnc }) => ({ dnc_group, call_dnc, sms_dnc }))
      .toSorted((a, b) => a.dnc_group.localeCompare(b.dnc_group)),
    record_files: recordFiles,
    unexported_days: unexported,
    left: leftIn(survey, sought),
    not_searched: notSearched(sought),
  }
}

const stopText = ({ dnc_group, call_dnc, sms_dnc }: KeptStop): string =>
  `Kept as a hash: ${[call_dnc && 'do not call', sms_dnc && 'do not text'].filter(Boolean).join(' and ')}, in the DNC group ${dnc_group}.`

const recordFilesText = (files: readonly string[]): string[] =>
  files.length === 0
    ? []
    : [`Kept: ${counted(files.length, 'file')} of records with the number, which the law may demand for five years: ${files.join(', ')}.`]

const unexportedText = (days: readonly string[], erased: boolean): string[] =>
  days.length === 0
    ? []
    : [
        `Warning: no files of records have all calls, consents and stops of ${days.join(', ')}, which the law may demand for five years (16 CFR 310.5).${erased ? '' : ' To keep them, first run: npm run ops -- records'}`,
      ]

const unseenText = (unseen: number): string =>
  `${counted(unseen, 'dead letter')} of events could not be searched: an earlier search hides them for some minutes, or there are too many. Redrive or delete them, and erase again.`

export const eraseText = (report: ErasureReport): string => {
  const { removed, redacted, files, reports, dead_letters, dead_letters_unseen, kept_stops, record_files, left, erased, not_searched } =
    report
  const mentions = countsText(redacted)
  const gone = [
    ...countsText(removed),
    ...(files > 0 ? [counted(files, 'uploaded file')] : []),
    ...(reports > 0 ? [`their rows in ${counted(reports, 'report')} of rejected rows`] : []),
    ...(dead_letters > 0 ? [counted(dead_letters, 'dead letter')] : []),
  ]
  const verb = erased ? 'Erased' : 'To be erased'
  return [
    gone.length === 0
      ? `Nothing is ${not_searched === null ? 'stored' : 'found'} about ${report.phone_number}${report.owner === null ? '' : ` for user ${report.owner}`}.`
      : `${verb}: ${gone.join(', ')}.`,
    ...(mentions.length > 0 ? [`The number ${erased ? 'was' : 'will be'} removed from ${mentions.join(', ')} of others.`] : []),
    ...kept_stops.map(stopText),
    ...recordFilesText(record_files ?? []),
    ...unexportedText(report.unexported_days, erased),
    ...(dead_letters_unseen > 0 ? [unseenText(dead_letters_unseen)] : []),
    ...(left.length > 0
      ? [`Not erased, because it is configuration or finds somebody else's lead. Change it yourself: ${left.join('; ')}`]
      : []),
    ...(not_searched === null ? [] : [not_searched]),
  ].join('\n')
}

const several = (word: string): string =>
  word
    .replace(/^person$/, 'persons')
    .replace(/y$/, 'ie')
    .replace(/([^s])$/, '$1s')
