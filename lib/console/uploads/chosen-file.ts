import type { CsvDialect } from '#shared/uploads/csv.ts'
import { HEAD_BYTES, openCsv } from '#shared/uploads/rules/csv/open.ts'
import { scanRecord } from '#shared/uploads/rules/csv/scan.ts'
import { cellText } from '#shared/uploads/rules/csv/text.ts'
import { expectedOf } from '#shared/uploads/rules/expected.ts'
import type { Source } from '../../client/operations.ts'
import { acceptedName } from '../../uploader/accepted-name.ts'
import { texts } from '../texts.ts'
import { type RowCount, rowsOf } from './rows-of.ts'

/** A file that is not sent yet, and its first bytes. */
export interface ChosenFile {
  readonly file: File
  readonly head: Uint8Array
  /** The name under which the service will know it: the API takes only some characters. */
  readonly filename: string
}

/** Bytes. No bucket accepts more in one request. */
const MOST_BYTES = 5 * 1024 ** 3

/** @throws Error with a sentence when the browser cannot read the file */
export const chooseFile = async (file: File): Promise<ChosenFile> => {
  try {
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
    return { file, head, filename: acceptedName(file.name) }
  } catch {
    throw new Error(texts.uploads.unreadable)
  }
}

export interface FileColumn {
  /** As the file has it. */
  readonly name: string
  /** Its cell in the first row. */
  readonly sample: string
  /** The lead field that it fills. Undefined: the source does not read it. */
  readonly field: string | undefined
}

interface Fitting {
  readonly columns: readonly FileColumn[]
  /** Columns of the source that the file does not have, with their alternative names. */
  readonly missing: readonly string[]
  /** Sentences: which columns are ignored because another one has their name. */
  readonly ignored: string | undefined
  readonly rows: RowCount
  /** Whether it has a header and nothing else. The service would read it, but there is nothing to do. */
  readonly isEmpty: boolean
}

const samplesOf = ({ head, file }: ChosenFile, { start, header, ...format }: CsvDialect): readonly string[] => {
  const row = scanRecord(head, start.offset, format, file.size <= head.length, header.length)
  return row.kind === 'record' ? row.cells.map((cell) => cellText(head, cell)) : []
}

/** How a file fits a source, or a sentence: why the service would not read it. */
export type Fit = Fitting | { readonly refusal: string }

/** The service decides by the same code. */
export const fitOf = (chosen: ChosenFile, source: Source): Fit => {
  const { file, head, filename } = chosen
  if (file.size > MOST_BYTES) return { refusal: texts.uploads.tooLarge }
  const opened = openCsv(head, file.size < HEAD_BYTES, expectedOf(source, filename))
  if ('refusal' in opened) return opened
  const { written } = opened
  const rows = rowsOf(head, file.size, opened.dialect)
  const { header, ignored } = opened.dialect
  const samples = samplesOf(chosen, opened.dialect)
  const fieldOf = (name: string, at: number): string | undefined =>
    header.indexOf(name) === at ? source.columns.find(({ names }) => names.includes(name))?.field : undefined
  return {
    columns: header.map((name, at) => ({ name: written[at] ?? name, sample: samples[at] ?? '', field: fieldOf(name, at) })),
    missing: source.columns.filter(({ names }) => !names.some((name) => header.includes(name))).map(({ names }) => names.join(' / ')),
    ignored,
    rows,
    isEmpty: rows.isExact && rows.rows === 0,
  }
}
