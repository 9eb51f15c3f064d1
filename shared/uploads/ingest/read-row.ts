import { representSource } from '../../ingestion/api/source.ts'
import type { Transform } from '../../ingestion/field-mapping.ts'
import { lookupOf, type Mapping, type Source } from '../../ingestion/ingestion.ts'
import { compileMapping, type Mapped } from '../../ingestion/rules/compile.ts'
import { leadFrom, toProvider } from '../../ingestion/rules/lead-from.ts'
import type { Lookup } from '../../ingestion/rules/target-fields.ts'
import { CreateLead, UpsertLead } from '../../leads/api/lead-request.ts'
import { emailKey } from '../../leads/rules/uniqueness.ts'
import { ServiceError } from '../../platform/values/errors.ts'
import type { CsvRow } from '../rules/csv/rows.ts'
import type { NeededColumns } from '../rules/csv/unfit.ts'
import { neededColumns } from '../rules/expected.ts'
import { type RejectedCell, shortened } from '../rules/report-csv.ts'
import type { LanePlan } from '../upload.ts'

/** A source, ready to read rows. */
export interface RowReader {
  readonly source: Source
  /** The lead field that rows are looked up by. Undefined for a source that only creates. */
  readonly lookup: Lookup | undefined
  /** Columns without which every row would be rejected. */
  readonly needed: NeededColumns | null
  readonly map: (read: (column: string) => unknown) => Mapped
}

/** The mapping with only the alternative names that the file has, so that reports name columns of the file. */
const inFile = (mapping: Mapping, header: readonly string[]): Mapping =>
  mapping.map(({ from, ...entry }) => {
    const present = from?.filter((column) => header.includes(column)) ?? []
    return { ...entry, from: present.length > 0 ? present : from }
  })

/** @param header the columns of the file, once they are known */
export const rowReader = (source: Source, header: readonly string[] = []): RowReader => {
  const { mode, lookup_column: column, mapping } = source
  const lookup = mode !== 'create' && column !== null ? lookupOf(mapping, column) : undefined
  return { source, lookup, needed: neededColumns(representSource(source)), map: compileMapping(inFile(mapping, header)) }
}

/**
 * Transforms that only change how a value is spelled. Lanes ignore the spelling. `upper` and `capitalize` do more: they make `ß` and `ss`
 * equal, or `ı` and `i`.
 */
const OF_SPELLING: readonly Transform[] = ['trim', 'lower']

/**
 * The columns that decide a row's lane: those of the value by which rows find their lead, or of the phone number of new leads. Null when
 * cells with different texts may give the same value: then their rows could be in different lanes.
 */
export const lanesBy = ({ source, lookup, needed }: RowReader): Pick<LanePlan, 'columns' | 'by'> | null => {
  const of = lookup ?? 'phone_number'
  const entry = source.mapping.find(({ to, from }) => to === of && from?.some((column) => needed?.names.includes(column)))
  if (!entry?.from || entry.join !== undefined || entry.values !== undefined) return null
  if (!entry.transforms.every((one) => OF_SPELLING.includes(one))) return null
  return { columns: entry.from, by: of === 'phone_number' ? 'number' : 'first' }
}

/** A valid row, with its data for a lead. */
export interface LeadRow {
  readonly row: number
  readonly line: number
  readonly input: CreateLead | UpsertLead
  readonly mapped: Mapped
  readonly read: (column: string) => string | undefined
}

export interface RejectedRow {
  readonly row: number
  readonly cells: readonly RejectedCell[]
}

const columnOf = (field: string): string => (field === 'non_field_errors' ? '' : field)

/** The report of a refused row: one line per field. @param fields messages by column name */
const rejected = ({ row, line, read }: Pick<LeadRow, 'row' | 'line' | 'read'>, fields: ServiceError['fields']): RejectedRow => ({
  row,
  cells: Object.entries(fields).map(([field, messages]) => {
    const column = columnOf(field)
    return { line, column, value: shortened((column && read(column)) || ''), message: shortened(messages.join(' ')) }
  }),
})

/** Like `rejected`, when the row's lead was refused. */
export const refusedRow = (row: LeadRow, { code, fields, message }: ServiceError): RejectedRow =>
  rejected(row, code === 'validation' ? toProvider(fields, row.mapped.origins) : { non_field_errors: [message] })

const BLANK = ['This field may not be blank.']

/** The data of a row for a lead, or why the row is rejected. */
export const readRow = ({ source, lookup, map }: RowReader, csvRow: CsvRow): LeadRow | RejectedRow => {
  const { row, line } = csvRow.at
  if ('problem' in csvRow) return { row, cells: [{ line, ...csvRow.problem }] }
  const { read } = csvRow
  const mapped = map(read)
  try {
    const input = leadFrom(source.mode === 'create' ? CreateLead : UpsertLead, mapped, source.lead_type)
    if (lookup === undefined || input[lookup]) return { row, line, input, mapped, read }
    return rejected({ row, line, read }, { [mapped.origins.get(lookup) ?? '']: BLANK })
  } catch (error) {
    if (error instanceof ServiceError) return rejected({ row, line, read }, error.fields)
    throw error
  }
}

/** Rows that share one of these keys are handled in order. */
export const keysOf = ({ lookup }: RowReader, { input }: LeadRow): string[] => {
  const value = lookup === 'email' ? emailKey(input.email) : lookup && input[lookup]
  return [...(value ? [`${lookup} ${value}`] : []), ...(input.phone_number ? [`phone_number ${input.phone_number}`] : [])]
}
