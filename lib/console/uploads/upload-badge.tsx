import type { Upload } from '../../client/operations.ts'
import { texts } from '../texts.ts'

const COLOURS = { waiting: 'wait', processing: 'wait', done: 'good', failed: 'bad' } as const

/** Whether its rows are still to be read, so that it will change. */
export const isInProgress = ({ status }: Pick<Upload, 'status'>): boolean => status === 'waiting' || status === 'processing'

/** The status of an upload. The colour only repeats what the words say. */
export const UploadBadge = ({ upload: { status, dry_run } }: { readonly upload: Pick<Upload, 'status' | 'dry_run'> }) => (
  <span class="badges">
    <span class={`badge ${COLOURS[status]}`}>{texts.uploads.statuses[status]}</span>
    {dry_run && <span class="badge">{texts.uploads.isDryRun}</span>}
  </span>
)
