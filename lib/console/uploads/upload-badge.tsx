import type { Upload } from '../../client/operations.ts'
import { texts } from '../texts.ts'
import { useIsSent } from './kept-files.ts'

type Shown = Pick<Upload, 'upload_id' | 'status' | 'dry_run' | 'rejected'>

const COLOURS = { waiting: 'wait', processing: 'wait', done: 'good', failed: 'bad' } as const

const colourOf = ({ status, rejected }: Shown): string => (status === 'done' && rejected > 0 ? 'wait' : COLOURS[status])

const textOf = ({ status, dry_run }: Shown, isSent: boolean): string => {
  if (isSent && status === 'waiting') return texts.uploads.isSent
  return dry_run && status === 'done' ? texts.uploads.checked : texts.uploads.statuses[status]
}

/** Whether its rows are still to be read, so that it will change. */
export const isInProgress = ({ status }: Pick<Upload, 'status'>): boolean => status === 'waiting' || status === 'processing'

/** The status of an upload. The colour only repeats what the words say. */
export const UploadBadge = ({ upload }: { readonly upload: Shown }) => (
  <span class="badges">
    <span class={`badge ${colourOf(upload)}`}>{textOf(upload, useIsSent(upload.upload_id))}</span>
    {upload.dry_run && <span class="badge">{texts.uploads.isDryRun}</span>}
  </span>
)
