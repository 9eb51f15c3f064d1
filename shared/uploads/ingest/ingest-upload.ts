import { randomUUID } from 'node:crypto'
import { DryRun, TABLE_WRITER } from '../../leads/lead-writer.ts'
import { now } from '../../platform/clock.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { SECOND } from '../../platform/values/durations.ts'
import { planLanes } from '../rules/lanes.ts'
import { HELD_BY_LANES, type ReportAssembly, type Upload } from '../upload.ts'
import { getWhole, type WholeUpload } from '../upload-store.ts'
import {
  breakOffForNow,
  breakOffLease,
  endUpload,
  giveBackLease,
  type Leased,
  saveAssembly,
  saveDialect,
  saveLanes,
  takeBack,
  takeLease,
} from '../upload-work-store.ts'
import { countedRows } from './counted-rows.ts'
import { hasFailedForGood, isPassing, REASON_IN_LOG } from './failures.ts'
import { inLaneSlot } from './lane-slots.ts'
import { dialectOf, fileBytes, sourceOf, Unreadable } from './open-file.ts'
import { lanesBy, rowReader } from './read-row.ts'
import { beginning, putTogether } from './report-file.ts'
import { type Part, sendOn } from './send-on.ts'

/** The most attempts to assemble the report without progress. Attempts that end with a transient error do not count. */
const MOST_TRIES_OF_REPORT = 60

const noReport = ({ dry_run }: Upload): string =>
  `The ${dry_run ? 'report of the dry run' : 'list of rejected rows'} could not be assembled, ${REASON_IN_LOG}`

/** Ends an upload of which no more rows are read. @returns whether the holder of the lease has nothing left to do */
const finishUpload = async (upload: Upload, assembly: ReportAssembly, isTimeUp: () => boolean): Promise<boolean> => {
  const { sentence } = assembly
  const status = sentence === null ? 'done' : 'failed'
  // A file whose header is refused has no report.
  const hasReport = upload.rejected > 0 || (upload.dry_run && upload.dialect !== null)
  if (hasReport && hasFailedForGood(upload, MOST_TRIES_OF_REPORT, now())) {
    const error = sentence === null ? noReport(upload) : `${sentence} ${noReport(upload)}`
    await endUpload(upload, { status, error, reportKey: null }, now())
    return true
  }
  const together = hasReport ? await putTogether(upload, assembly, isTimeUp) : null
  if (together === 'later' || together === 'lost') return together === 'lost'
  await endUpload(upload, { status, error: sentence, reportKey: together?.key ?? null }, now())
  return true
}

/** Milliseconds. Reading stops at least this long before the function's timeout. */
const MARGIN = 10 * SECOND
/** The most attempts at the same rows. Attempts that end with a transient error do not count. */
export const MOST_TRIES = 30
/** After this many attempts, rows are handled one by one: a single row may make all attempts fail. */
const TRIES_TOGETHER = 5
/** The most rows of a file or a lane that may be rejected because they kept failing. With more, the fault is not in the rows. */
const MOST_UNHANDLED = 20

/** Milliseconds left of a function's time. */
export type Remaining = () => number

/**
 * `lost`: another run has the lease. `divided`: lanes read the rows. `later`: another run continues. `in repeat`: the same, and some rows
 * may already be handled.
 */
type Progress = 'done' | 'divided' | 'later' | 'in repeat' | 'lost'

/** @throws Unreadable after too many attempts or too many failing rows */
const checkTries = (upload: Upload): void => {
  const { unhandled, counted_to, lane } = upload
  const row = counted_to?.row ?? 1
  const later = lane > 0 ? 'some of the later rows' : 'later rows'
  if (unhandled >= MOST_UNHANDLED) {
    throw new Unreadable(`${unhandled} rows could not be processed, ${REASON_IN_LOG} Row ${row} and ${later} were not read.`)
  }
  if (hasFailedForGood(upload, MOST_TRIES, now())) throw new Unreadable(`Row ${row} and ${later} could not be processed, ${REASON_IN_LOG}`)
}

/** Reads the file from the counted position to its end, or until time is up. */
const read = async (leased: Upload, isRepeat: boolean, remaining: Remaining): Promise<{ upload: Upload; progress: Progress }> => {
  checkTries(leased)
  const source = await sourceOf(leased)
  const dialect = leased.dialect ?? (await dialectOf(leased, source))
  const reader = rowReader(source, dialect.header)
  const plan = leased.dialect ? null : planLanes(leased.object?.size ?? 0, lanesBy(reader))
  if (plan) return { upload: { ...leased, plan }, progress: (await saveLanes(leased, dialect, plan, now())) ? 'divided' : 'lost' }
  if (!leased.dialect && !(await saveDialect(leased, dialect))) return { upload: leased, progress: 'lost' }
  let upload: Upload = { ...leased, dialect, counted_to: leased.counted_to ?? dialect.start }
  const { offset } = upload.counted_to ?? dialect.start
  const stream = await fileBytes(upload, { from: offset })
  const writer = upload.dry_run ? new DryRun() : TABLE_WRITER
  const isCareful = leased.tries > TRIES_TOGETHER
  for await (const counted of countedRows(upload, { reader, dialect, stream, isRepeat, isCareful, remaining, writer })) {
    if (!counted) return { upload, progress: 'lost' }
    upload = counted.upload
    const isTimeUp = remaining() < MARGIN + 2 * counted.milliseconds
    if (isTimeUp || upload.unhandled >= MOST_UNHANDLED) return { upload, progress: counted.isInRepeat ? 'in repeat' : 'later' }
  }
  return { upload, progress: 'done' }
}

const lanesOf = (upload: Upload): Part[] => Array.from({ length: upload.plan?.lanes ?? 0 }, (_, index) => ({ ...upload, lane: index + 1 }))

const isAtWork = ({ status }: Upload): boolean => status === 'processing'

/** Whether lanes still read. A query may see an upload before it sees all lanes that were written with it. */
const areLanesAtWork = ({ upload, lanes }: WholeUpload): boolean => lanes.length < (upload.plan?.lanes ?? 0) || lanes.some(isAtWork)

/** Ends a lane. @returns the upload, if all its lanes have ended: another run assembles its report */
const finishLane = async (lane: Upload, sentence: string | null): Promise<readonly Part[]> => {
  const status = sentence === null ? 'done' : 'failed'
  if (!(await endUpload(lane, { status, error: sentence, reportKey: null }, now()))) return []
  const whole = await getWhole(lane.upload_id, now())
  return whole && !areLanesAtWork(whole) ? [whole.upload] : []
}

const FROM_ANEW = { tries: 0, passing: 0, failing_since: null }

/** An upload whose rows are read. */
interface Read {
  readonly upload: Upload
  readonly assembly: ReportAssembly
}

/** Continues to read the rows. @returns the upload when its report must be assembled, otherwise what other runs must work on */
const readOn = async (leased: Upload, isRepeat: boolean, remaining: Remaining): Promise<Read | readonly Part[]> => {
  let upload = leased
  let sentence: string | null = null
  try {
    const result = await read(leased, isRepeat, remaining)
    if (result.progress === 'lost') return []
    upload = result.upload
    if (result.progress === 'divided') return lanesOf(upload)
    if (result.progress !== 'done') return await givenBack(upload, result.progress === 'in repeat')
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    sentence = error.message
  }
  if (upload.lane > 0) return finishLane(upload, sentence)
  const assembly = beginning(upload, sentence)
  return (await saveAssembly(upload, assembly, now())) ? { upload: { ...upload, ...FROM_ANEW, assembly }, assembly } : []
}

/** @returns what other runs must work on */
const work = async (leased: Upload, isRepeat: boolean, remaining: Remaining): Promise<readonly Part[]> => {
  const { assembly } = leased
  const read = assembly ? { upload: leased, assembly } : await readOn(leased, isRepeat, remaining)
  if (!('assembly' in read)) return read
  const isOver = await finishUpload(read.upload, read.assembly, () => remaining() < MARGIN)
  return isOver ? [] : givenBack(read.upload, false)
}

/** Gives the lease back. @returns nothing when another run has it */
const givenBack = async (upload: Upload, isInRepeat: boolean): Promise<readonly Part[]> => {
  const giveBack = isInRepeat ? breakOffLease : giveBackLease
  return (await giveBack(upload, now())) ? [upload] : []
}

/** The lease on an upload or a lane that has something to do. */
const leaseOf = async ({ upload, lanes }: WholeUpload, lane: number): Promise<Leased | undefined> => {
  const at = now()
  if (lane > 0) {
    const found = lanes.find((one) => one.lane === lane)
    return found && takeLease(found, randomUUID(), at)
  }
  if (upload.lease_token !== HELD_BY_LANES) return takeLease(upload, randomUUID(), at)
  // The earliest failure, by its row.
  const [first] = lanes.filter(({ error }) => error !== null).sort((a, b) => (a.counted_to?.row ?? 0) - (b.counted_to?.row ?? 0))
  const back = await takeBack(upload, beginning(upload, first?.error ?? null), randomUUID(), at)
  return back && { upload: back, isRepeat: false }
}

/** After a lane has failed, the others read no further. */
const isInVain = ({ lanes }: WholeUpload): boolean => lanes.some(({ status }) => status === 'failed')

/** @returns what other runs must work on; undefined after a transient error, which other parts would meet too */
const inTurn = async (whole: WholeUpload, lane: number, remaining: Remaining): Promise<readonly Part[] | undefined> => {
  const { upload } = whole
  const leased = await leaseOf(whole, lane)
  if (!leased) return []
  try {
    if (lane > 0 && isInVain(whole)) return await finishLane(leased.upload, null)
    return await work(leased.upload, leased.isRepeat, remaining)
  } catch (error) {
    logger.error('Processing of an upload was interrupted.', { upload: upload.upload_id, lane, error: loggable(error) })
    await (isPassing(error) ? breakOffForNow : breakOffLease)(leased.upload, now())
    // The sweep sends the upload again in a minute. The message would use up its tries.
    if (!isPassing(error)) throw error
    return undefined
  }
}

/** The upload or lane, if it has rows to read, and no other run reads them. Otherwise it takes no slot. */
const freePart = (whole: WholeUpload, lane: number): Upload | undefined => {
  const part = lane === 0 ? whole.upload : whole.lanes.find((one) => one.lane === lane)
  if (!part || !isAtWork(part)) return undefined
  return (part.lease_token === HELD_BY_LANES ? !areLanesAtWork(whole) : part.lease_until <= now()) ? part : undefined
}

/**
 * Works on an upload or on one of its lanes from its saved position, and queues it again when time is up, or queues `next` when it is done.
 * The lease lets one worker in at a time. After a crash, the sweep sends a message when the lease has ended.
 * @returns false when there is nothing to do, or another run does it
 */
export const ingestUpload = async (
  whole: WholeUpload,
  lane: number,
  next: readonly Pick<Part, 'upload_id' | 'lane'>[],
  remaining: Remaining,
): Promise<boolean> => {
  const part = freePart(whole, lane)
  if (!part) return false
  const left = await inLaneSlot(part, remaining(), () => inTurn(whole, lane, remaining))
  // Without a slot, the sweep sends all of them again. Another run of this owner has one, so nothing is late.
  if (!left) return true
  // Lease and slot are free again. A message that arrives earlier is dropped.
  const others = next.map((each) => ({ ...each, owner: part.owner }))
  await sendOn([[...left.slice(0, 1), ...others], ...left.slice(1).map((each) => [each])])
  return true
}
