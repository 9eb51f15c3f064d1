import { now } from '../../platform/clock.ts'
import { laneSlotsKey } from '../../platform/keys.ts'
import { logger } from '../../platform/logger.ts'
import { inSlot } from '../../platform/table/slots.ts'
import { MOST_LANES } from '../rules/lanes.ts'
import type { Upload } from '../upload.ts'

/**
 * Runs `read` for a lane. At most MOST_LANES of one owner are read at the same time, in all files, so that workers are left for other
 * owners. A lane without a slot is left to the sweep, which sends it again each minute.
 * @param left milliseconds that the run has left
 */
export const inLaneSlot = <T>(
  { upload_id, lane, owner }: Upload,
  left: number,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> =>
  inSlot({ key: laneSlotsKey(owner), most: MOST_LANES, held: left, now }, read, () => {
    logger.info('A lane waits, because enough others of its owner are being read.', { upload: upload_id, lane })
    return undefined
  })
