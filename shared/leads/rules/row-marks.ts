import type { Lead, RowMark } from '../lead.ts'

/** A row of an uploaded file, counted from 1 without the header. */
export interface Row {
  readonly upload: string
  readonly row: number
  /** First row of the batch that handles it. Earlier rows are counted and never repeated. */
  readonly batchFrom: number
  /** Whether the row was certainly not handled before. Otherwise its earlier effect is searched by all values of the row. */
  readonly isFirst?: boolean
}

/** Number of other uploads whose marks stay on a lead, latest writers first: their batches may still be repeated. */
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

/** The marks of a lead after a row has written the lead. */
export const withMark = (marks: Lead['ingested'], { upload, row, batchFrom }: Row, outcome: RowMark['outcome']): RowMark[] => {
  const others = lastOthers(marks, upload)
  return [
    ...marks.filter((mark) => others.includes(mark.upload)),
    ...marks.filter((mark) => mark.upload === upload && mark.row >= batchFrom && mark.row !== row),
    { upload, row, outcome },
  ]
}

/** The effect of an earlier run of the row on the lead. Undefined when it did nothing, or did not run. */
export const markOf = ({ ingested }: Pick<Lead, 'ingested'>, { upload, row }: Row): RowMark['outcome'] | undefined =>
  ingested.find((mark) => mark.upload === upload && mark.row === row)?.outcome

/** Whether a later row of the same upload wrote the lead. This row's change is then outdated. */
export const isOutdated = ({ ingested }: Pick<Lead, 'ingested'>, { upload, row }: Row): boolean =>
  ingested.some((mark) => mark.upload === upload && mark.row > row)

/** Whether a later row of the same upload created the lead. The lead did not exist when this row was handled. */
export const isCreatedLater = ({ ingested }: Pick<Lead, 'ingested'>, { upload, row }: Row): boolean =>
  ingested.some((mark) => mark.upload === upload && mark.row > row && mark.outcome === 'created')
