import { randomUUID } from 'node:crypto'
import { DryRun, TABLE_WRITER } from '../../leads/lead-writer.ts'
import { now } from '../../platform/clock.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { forOwner } from '../../platform/table/busy.ts'
import { SECOND } from '../../platform/values/durations.ts'
import { planLanes } from '../rules/lanes.ts'
import { HELD_BY_LANES, type LanePlan, type ReportAssembly, type Upload } from '../upload.ts'
import { getWhole, type WholeUpload } from '../upload-store.ts'
import { endUpload, giveBackLease, type Leased, saveAssembly, saveDialect, saveLanes, takeBack, takeLease } from '../upload-work-store.ts'
import { countedRows } from './counted-rows.ts'
import { hasFailedForGood, isTransient, REASON_IN_LOG } from './failures.ts'
import { inLaneSlot } from './lane-slots.ts'
import { dialectOf, fileBytes, pinnedOf, sourceOf, Unreadable } from './open-file.ts'
import { lanesBy, rowReader } from './read-row.ts'
import { assembleReport, newAssembly } from './report-file.ts'
import { type Part, type Series, sendOn } from './send-on.ts'

/** The most attempts to assemble the report without progress. Attempts that end with a transient error do not count. */
const MOST_TRIES_OF_REPORT = 60

const noReport = ({ dry_run }: Upload): string =>
  `The ${dry_run ? 'report of the dry run' : 'list of rejected rows'} could not be assembled, ${REASON_IN_LOG}`

/** The next step of an upload. */
type NextStep =
  | { readonly todo: 'report'; readonly upload: Upload; readonly assembly: ReportAssembly }
  | ({ readonly todo: 'continue' } & Leased)
  | { readonly todo: 'queue'; readonly parts: Series }

/** The work is done, or another run has the lease. */
const NOTHING: NextStep = { todo: 'queue', parts: [] }

/** Ends an upload of which no more rows are read. */
const finishUpload = async (upload: Upload, assembly: ReportAssembly, isTimeUp: () => boolean): Promise<NextStep> => {
  const { sentence } = assembly
  const status = sentence === null ? 'done' : 'failed'
  // A file whose header is refused has no report.
  const hasReport = upload.rejected > 0 || (upload.dry_run && upload.dialect !== null)
  if (hasReport && hasFailedForGood(upload, MOST_TRIES_OF_REPORT, now())) {
    const error = sentence === null ? noReport(upload) : `${sentence} ${noReport(upload)}`
    await endUpload(upload, { status, error, reportKey: null }, now())
    return NOTHING
  }
  const report = hasReport ? await assembleReport(upload, assembly, isTimeUp) : null
  if (report === 'lost') return NOTHING
  if (report === 'later') return { todo: 'continue', upload, isRepeat: false }
  await endUpload(upload, { status, error: sentence, reportKey: report?.key ?? null }, now())
  return NOTHING
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

const isAtWork = ({ status }: Upload): boolean => status === 'processing'

/** Whether lanes still read. A query may see an upload before it sees all lanes that were written with it. */
const areLanesAtWork = ({ upload, lanes }: WholeUpload): boolean => lanes.length < (upload.plan?.lanes ?? 0) || lanes.some(isAtWork)

/** After the last lane has ended, another run assembles the report of the upload. */
const endLane = async (lane: Upload, sentence: string | null): Promise<NextStep> => {
  const status = sentence === null ? 'done' : 'failed'
  if (!(await endUpload(lane, { status, error: sentence, reportKey: null }, now()))) return NOTHING
  const whole = await getWhole(lane.upload_id, now())
  return whole && !areLanesAtWork(whole) ? { todo: 'queue', parts: [whole.upload] } : NOTHING
}

const RESET_COUNTS = { tries: 0, passing: 0, failing_since: null }

/** @param sentence why not all rows were read */
const endRows = async (upload: Upload, sentence: string | null): Promise<NextStep> => {
  if (upload.lane > 0) return endLane(upload, sentence)
  const assembly = newAssembly(upload, sentence)
  if (!(await saveAssembly(upload, assembly, now()))) return NOTHING
  return { todo: 'report', upload: { ...upload, ...RESET_COUNTS, assembly }, assembly }
}

const lanesOf = (upload: Upload, { lanes }: LanePlan): Part[] =>
  Array.from({ length: lanes }, (_, index) => ({ ...upload, lane: index + 1 }))

/** Reads the file from the counted position to its end, or until time is up. */
const readRows = async ({ upload: leased, isRepeat }: Leased, remaining: Remaining): Promise<NextStep> => {
  checkTries(leased)
  const source = await sourceOf(leased)
  const dialect = leased.dialect ?? (await dialectOf(leased, source))
  const reader = rowReader(source, dialect.header)
  const plan = leased.dialect ? null : planLanes(leased.object?.size ?? 0, lanesBy(reader))
  if (plan)
    return (await saveLanes(leased, dialect, pinnedOf(source), plan, now())) ? { todo: 'queue', parts: lanesOf(leased, plan) } : NOTHING
  if (!leased.dialect && !(await saveDialect(leased, dialect, pinnedOf(source)))) return NOTHING
  let upload: Upload = { ...leased, dialect, counted_to: leased.counted_to ?? dialect.start }
  const { offset } = upload.counted_to ?? dialect.start
  const stream = await fileBytes(upload, { from: offset })
  const writer = upload.dry_run ? new DryRun() : TABLE_WRITER
  const isCareful = leased.tries > TRIES_TOGETHER
  for await (const counted of countedRows(upload, { reader, dialect, stream, isRepeat, isCareful, remaining, writer })) {
    if (!counted) return NOTHING
    upload = counted.upload
    const isTimeUp = remaining() < MARGIN + 2 * counted.milliseconds
    if (isTimeUp || upload.unhandled >= MOST_UNHANDLED) return { todo: 'continue', upload, isRepeat: counted.isRepeat }
  }
  return endRows(upload, null)
}

/** After a lane has failed, the others read no further. */
const hasLaneFailed = ({ lanes }: WholeUpload): boolean => lanes.some(({ status }) => status === 'failed')

const readOn = async (whole: WholeUpload, leased: Leased, remaining: Remaining): Promise<NextStep> => {
  const { upload } = leased
  if (upload.lane > 0 && hasLaneFailed(whole)) return endLane(upload, null)
  if (upload.assembly) return { todo: 'report', upload, assembly: upload.assembly }
  try {
    return await readRows(leased, remaining)
  } catch (error) {
    if (error instanceof Unreadable) return endRows(upload, error.message)
    throw error
  }
}

/** @returns what other runs must work on */
const partsAfter = async (left: NextStep, remaining: Remaining): Promise<Series> => {
  switch (left.todo) {
    case 'report':
      return partsAfter(await finishUpload(left.upload, left.assembly, () => remaining() < MARGIN), remaining)
    case 'continue':
      return (await giveBackLease(left, now())) ? [left.upload] : []
    case 'queue':
      return left.parts
  }
}

/** The lease on an upload or a lane that has something to do. */
const leaseOf = async (part: Upload, lanes: readonly Upload[]): Promise<Leased | undefined> => {
  const at = now()
  if (part.lease_token !== HELD_BY_LANES) return takeLease(part, randomUUID(), at)
  // The earliest failure, by its row.
  const [first] = lanes.filter(({ error }) => error !== null).sort((a, b) => (a.counted_to?.row ?? 0) - (b.counted_to?.row ?? 0))
  const back = await takeBack(part, newAssembly(part, first?.error ?? null), randomUUID(), at)
  return back && { upload: back, isRepeat: false }
}

/** @returns what to queue. Nothing after a transient error: the others would meet it too. */
const workOn = async (whole: WholeUpload, part: Upload, others: Series, remaining: Remaining): Promise<Series[]> => {
  const leased = await leaseOf(part, whole.lanes)
  if (!leased) return [others]
  try {
    const parts = await partsAfter(await readOn(whole, leased, remaining), remaining)
    return [[...parts.slice(0, 1), ...others], ...parts.slice(1).map((each) => [each])]
  } catch (error) {
    const { upload_id, lane } = part
    logger.error('Processing of an upload was interrupted.', { upload: upload_id, lane, error: loggable(error) })
    await giveBackLease({ ...leased, isRepeat: true }, now(), isTransient(error))
    // The sweep sends the upload again in a minute. The message would use up its tries.
    if (!isTransient(error)) throw error
    return []
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
  const others = next.map((each) => ({ ...each, owner: part.owner }))
  const series = await forOwner(part.owner, () => inLaneSlot(part, remaining(), () => workOn(whole, part, others, remaining)))
  // Lease and slot are free again. A message that arrives earlier is dropped.
  await sendOn(series)
  return true
}
