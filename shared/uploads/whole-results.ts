import { addedUp, type Preview } from '../calling/rules/preview.ts'
import type { WarnedLines } from '../platform/values/warning.ts'
import { firstWarned, type Upload, type UploadCounts } from './upload.ts'

/** The results of the rows of a batch. */
export interface BatchResults {
  readonly counts: UploadCounts
  readonly preview: Preview
  readonly warnedLines: WarnedLines
}

type WholeResults = Pick<Upload, 'preview' | 'warned_lines'>

/** The results of an upload that are no counts, after a further batch. */
export const withBatch = ({ dry_run, preview, warned_lines }: Upload, batch: BatchResults): WholeResults => ({
  preview: dry_run ? addedUp([...(preview ? [preview] : []), batch.preview]) : null,
  warned_lines: firstWarned([warned_lines, batch.warnedLines]),
})

/** Assignments of an update that replace each result. */
export const alsoSaved = ({ preview, warned_lines }: WholeResults) => {
  const isWarned = Object.keys(warned_lines).length > 0
  return {
    assignments: `${preview ? ', preview = :preview' : ''}${isWarned ? ', warned_lines = :warned' : ''}`,
    values: { ...(preview && { ':preview': preview }), ...(isWarned && { ':warned': warned_lines }) },
  }
}
