import { now } from '../../platform/clock.ts'
import type { ReportAssembly, Upload } from '../upload.ts'
import { endUpload } from '../upload-work-store.ts'
import { hasFailedForGood } from './patience.ts'
import { REASON_IN_LOG } from './reason-in-log.ts'
import { putTogether } from './rejected-file.ts'

/** The most attempts to assemble the list of rejected rows without progress. Attempts that end with a transient error do not count. */
const MOST_TRIES_OF_LIST = 60

const NO_LIST = `The list of the rejected rows could not be put together, ${REASON_IN_LOG}`

/** Ends an upload of which no more rows are read. @returns whether the holder of the lease has nothing left to do */
export const finishUpload = async (upload: Upload, assembly: ReportAssembly, isTimeUp: () => boolean): Promise<boolean> => {
  const { sentence } = assembly
  const status = sentence === null ? 'done' : 'failed'
  const { rejected } = upload
  if (rejected > 0 && hasFailedForGood(upload, MOST_TRIES_OF_LIST, now())) {
    const error = sentence === null ? NO_LIST : `${sentence} ${NO_LIST}`
    await endUpload(upload, { status, error, rejectedKey: null }, now())
    return true
  }
  const together = rejected > 0 ? await putTogether(upload, assembly, isTimeUp) : null
  if (together === 'later' || together === 'lost') return together === 'lost'
  await endUpload(upload, { status, error: sentence, rejectedKey: together?.key ?? null }, now())
  return true
}
