import { setting } from '../../platform/environment.ts'
import { send } from '../../platform/queues/queues.ts'
import type { Upload } from '../upload.ts'

/** An upload, or one of its lanes, that a run works on. */
export type Part = Pick<Upload, 'upload_id' | 'owner' | 'lane'>

const nameOf = ({ upload_id, lane }: Part) => ({ upload_id, ...(lane > 0 && { lane }) })

/** Parts of one owner. A run works on the first one, and its end queues the others. */
export type Series = readonly Part[]

/** However many parts wait, only as many messages are sent as runs may begin: one for each series. */
export const sendOn = async (series: readonly Series[]): Promise<void> => {
  const messages = series.flatMap(([first, ...next]) =>
    first
      ? [{ body: { ...nameOf(first), ...(next.length > 0 && { next: next.map(nameOf) }) }, group: `${first.owner}`, delaySeconds: 0 }]
      : [],
  )
  if (messages.length > 0) await send(setting('INGESTION_QUEUE_URL'), messages)
}
