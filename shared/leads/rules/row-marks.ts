import type { Lead, RowMark } from '../lead.ts'

/** A row of an uploaded file, counted from 1 without the header. */
export interface Row {
  readonly upload: string
  readonly row: number
  /** Line of the file where it begins. */
  readonly line?: number
  /** Lane of the upload that takes the row. Absent: the upload has no lanes. */
  readonly lane?: number
  /** First row of the batch that handles it. Earlier rows of the lane are counted and never repeated. */
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

/** Lanes read a file at different speeds. Only rows of one lane are handled in the order of the file, and counted in this order. */
const isOfLane = (mark: RowMark, { upload, lane }: Row): boolean => mark.upload === upload && mark.lane === lane

const lastOf = (marks: readonly RowMark[]): RowMark | undefined => marks.toSorted((a, b) => a.row - b.row).at(-1)

/**
 * The marks of a lead after a row has written the lead. The last mark before the batch stays, so that a repeat of the batch finds the earlier
 * row too.
 */
export const withMark = (marks: Lead['ingested'], of: Row, outcome: RowMark['outcome']): RowMark[] => {
  const { upload, row, line, batchFrom, lane } = of
  const others = lastOthers(marks, upload)
  const counted = lastOf(marks.filter((mark) => isOfLane(mark, of) && mark.row < batchFrom))
  const isKept = (mark: RowMark): boolean => !isOfLane(mark, of) || mark.row >= batchFrom || mark === counted
  return [
    ...marks.filter((mark) => others.includes(mark.upload)),
    ...marks.filter((mark) => mark.upload === upload && mark.row !== row && isKept(mark)),
    { upload, row, ...(line !== undefined && { line }), outcome, ...(lane !== undefined && { lane }) },
  ]
}

/** The mark of the last earlier row of the same file that wrote the lead. */
export const earlierRow = ({ ingested }: Pick<Lead, 'ingested'>, of: Pick<Row, 'upload' | 'row'>): RowMark | undefined =>
  lastOf(ingested.filter(({ upload, row }) => upload === of.upload && row < of.row))

/** The effect of an earlier run of the row on the lead. Undefined when it did nothing, or did not run. */
export const markOf = ({ ingested }: Pick<Lead, 'ingested'>, { upload, row }: Row): RowMark['outcome'] | undefined =>
  ingested.find((mark) => mark.upload === upload && mark.row === row)?.outcome

/** Whether a later row of the same lane wrote the lead. This row's change is then outdated. */
export const isOutdated = ({ ingested }: Pick<Lead, 'ingested'>, row: Row): boolean =>
  ingested.some((mark) => isOfLane(mark, row) && mark.row > row.row)

/** Whether a later row of the same lane created the lead. The lead did not exist when this row was handled. */
export const isCreatedLater = ({ ingested }: Pick<Lead, 'ingested'>, row: Row): boolean =>
  ingested.some((mark) => isOfLane(mark, row) && mark.row > row.row && mark.outcome === 'created')
