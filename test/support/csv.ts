import type { ReadNames } from '#shared/ingestion/rules/misnamed-consent.ts'
import type { CsvDialect, CsvPosition } from '#shared/uploads/csv.ts'
import { openCsv } from '#shared/uploads/rules/csv/open.ts'
import { type CsvRow, rowsFrom } from '#shared/uploads/rules/csv/rows.ts'
import type { NeededColumns } from '#shared/uploads/rules/csv/unfit.ts'

/** Splits bytes into chunks, repeating these sizes. */
export async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

/** A row without its function, so that tests can compare it. */
export const seen = (row: CsvRow, columns: readonly string[]) => {
  const { at, next } = row
  return 'problem' in row ? { at, next, problem: row.problem } : { at, next, values: columns.map(row.read) }
}

export type Seen = ReturnType<typeof seen>

export const readAll = async (
  bytes: Uint8Array,
  dialect: CsvDialect,
  { from = dialect.start, sizes = [65_536] }: { from?: CsvPosition; sizes?: readonly number[] } = {},
): Promise<Seen[]> => {
  const rows: Seen[] = []
  for await (const row of rowsFrom(inChunks(bytes.subarray(from.offset), sizes), dialect, from)) {
    if (!('isEmpty' in row)) rows.push(seen(row, dialect.header))
  }
  return rows
}

export const open = (
  bytes: Uint8Array,
  columns: readonly string[],
  { filename = 'leads.csv', decisive = columns, fields = [] as readonly ReadNames[], needed = null as NeededColumns | null } = {},
) => openCsv(bytes, true, { filename, source: 'demo', columns, decisive, fields, needed })

/** @throws Error with the refusal as its message */
export const dialectOf = (bytes: Uint8Array, columns: readonly string[]): CsvDialect => {
  const opened = open(bytes, columns)
  if ('refusal' in opened) throw new Error(opened.refusal)
  return opened.dialect
}
