import type { Lead, RowMark } from '../lead.ts'

/** A row of an uploaded file, counted from 1 without the header. */
export interface Row {
  readonly upload: string
  readonly row: number
  /** First row of the batch in which it is handled: rows before it are counted, and never repeated. */
  readonly batchFrom: number
  /** Whether it is known that the row was not handled before. Otherwise what it did then is looked for by all that it says. */
  readonly isFirst?: boolean
}

/** Other uploads whose marks a lead keeps, those that wrote it last: they may have batches that are still to be repeated. */
const OTHERS = 5

const lastOthers = (marks: Lead['ingested'], own: string): string[] =>
  [
    ...new Set(
      marks
        .map(({ upload }) => upload)
        .filter((upload) => upload !== own)
        .reverse(),
    ),
  ].slice(0, OTHERS)

/** The marks of a lead after a row has written it. */
export const withMark = (marks: Lead['ingested'], { upload, row, batchFrom }: Row, outcome: RowMark['outcome']): RowMark[] => [
  ...marks.filter((mark) => lastOthers(marks, upload).includes(mark.upload)),
  ...marks.filter((mark) => mark.upload === upload && mark.row >= batchFrom && mark.row !== row),
  { upload, row, outcome },
]

/** What a row did to the lead when it was handled before; undefined when it did nothing, or was not. */
export const markOf = ({ ingested }: Pick<Lead, 'ingested'>, { upload, row }: Row): RowMark['outcome'] | undefined =>
  ingested.find((mark) => mark.upload === upload && mark.row === row)?.outcome

/** Whether a later row of the same upload has written the lead: what the row would do now is not what it was to do. */
export const isOutdated = ({ ingested }: Pick<Lead, 'ingested'>, { upload, row }: Row): boolean =>
  ingested.some((mark) => mark.upload === upload && mark.row > row)

/** Whether a later row of the same upload has created the lead: it was not there when the row was handled. */
export const isCreatedLater = ({ ingested }: Pick<Lead, 'ingested'>, { upload, row }: Row): boolean =>
  ingested.some((mark) => mark.upload === upload && mark.row > row && mark.outcome === 'created')
