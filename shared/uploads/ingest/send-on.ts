import { setting } from '../../platform/environment.ts'
import { send } from '../../platform/queues/queues.ts'
import type { Upload } from '../upload.ts'

/** An upload, or one of its lanes, that a run works on. */
export type Part = Pick<Upload, 'upload_id' | 'owner' | 'lane'>

/** How often a file that finds no free slot is queued again, until the sweep queues it. */
export const TRIES_FOR_SLOT = 5
/** Seconds between these tries. */
const WAIT_FOR_SLOT = 10

interface Waiting {
  /** Tries for a free slot that are left. */
  readonly tries: number
  readonly delaySeconds: number
}

/** Queues uploads or lanes, so that another run continues. */
export const sendOn = async (parts: readonly Part[], { tries, delaySeconds }: Waiting = { tries: 0, delaySeconds: 0 }): Promise<void> => {
  if (parts.length === 0) return
  const messages = parts.map(({ upload_id, owner, lane }) => ({
    body: { upload_id, ...(lane > 0 && { lane }), ...(tries > 0 && { tries }) },
    group: `${owner}`,
    delaySeconds,
  }))
  await send(setting('INGESTION_QUEUE_URL'), messages)
}

/** Queues a file whose owner has no free slot, while there are tries left. */
export const tryForSlot = (part: Part, tries: number): Promise<void> =>
  sendOn(tries > 0 ? [part] : [], { tries: tries - 1, delaySeconds: WAIT_FOR_SLOT })
