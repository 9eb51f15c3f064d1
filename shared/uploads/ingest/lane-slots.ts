import { now } from '../../platform/clock.ts'
import { laneSlotsKey } from '../../platform/keys.ts'
import { logger } from '../../platform/logger.ts'
import { inSlot } from '../../platform/table/slots.ts'
import { MOST_LANES } from '../rules/lanes.ts'
import type { Upload } from '../upload.ts'

/**
 * Runs `read` for a lane, or for a file without lanes. At most MOST_LANES of one owner are read at the same time, so that workers are left
 * for other owners. Each minute, the sweep sends the lanes and files that wait for a slot again.
 * @returns nothing when there is no free slot
 * @param left milliseconds that the run has left
 */
export const inLaneSlot = <T>({ upload_id, lane, owner }: Upload, left: number, read: () => Promise<readonly T[]>): Promise<readonly T[]> =>
  inSlot({ key: laneSlotsKey(owner), most: MOST_LANES, held: left, now }, read, () => {
    logger.info('A lane or file waits, because enough others of its owner are being read.', { upload: upload_id, lane })
    return []
  })
