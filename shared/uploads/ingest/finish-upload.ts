import { now } from '../../platform/clock.ts'
import type { ReportAssembly, Upload } from '../upload.ts'
import { endUpload } from '../upload-work-store.ts'
import { hasFailedForGood } from './patience.ts'
import { REASON_IN_LOG } from './reason-in-log.ts'
import { putTogether } from './rejected-file.ts'

/** Times that the list of the rejected rows may be taken up without getting further, those aside that what passes has ended. */
const MOST_TRIES_OF_LIST = 60

const NO_LIST = `The list of the rejected rows could not be put together, ${REASON_IN_LOG}`

/** Ends an upload of which no row is to be read any more. @returns whether there is nothing left to do for whoever has the lease */
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
