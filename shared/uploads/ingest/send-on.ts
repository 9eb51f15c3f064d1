import { setting } from '../../platform/environment.ts'
import { send } from '../../platform/queues/queues.ts'
import type { Upload } from '../upload.ts'

/** Queues uploads or lanes, so that another run continues. */
export const sendOn = (uploads: readonly Pick<Upload, 'upload_id' | 'owner' | 'lane'>[]): Promise<void> =>
  send(
    setting('INGESTION_QUEUE_URL'),
    uploads.map(({ upload_id, owner, lane }) => ({ body: { upload_id, ...(lane > 0 && { lane }) }, group: `${owner}` })),
  )
