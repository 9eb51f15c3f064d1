import { knownUser } from '../../accounts/user-store.ts'
import { dispatchEachSoon, requestSender, type SendCall } from '../../backlog/dispatch.ts'
import { previewLeads } from '../../calling/preview.ts'
import { NO_LEADS, type Preview } from '../../calling/rules/preview.ts'
import type { CreateLead } from '../../leads/api/lead-request.ts'
import { writeCreate } from '../../leads/create-lead.ts'
import type { Lead } from '../../leads/lead.ts'
import { causesOfWarnings } from '../../leads/lead-warnings.ts'
import { DryRun, type LeadWriter } from '../../leads/lead-writer.ts'
import { READABLE_READS, type Reads } from '../../leads/reads.ts'
import { earlierRow } from '../../leads/rules/row-marks.ts'
import { type FollowUp, followAtOnce } from '../../leads/update-plan.ts'
import { writeUpsert } from '../../leads/upsert-lead.ts'
import { now, realNow } from '../../platform/clock.ts'
import { inLanes } from '../../platform/lanes.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { onceNotBusy } from '../../platform/table/busy.ts'
import { RaceLostError } from '../../platform/transient-errors.ts'
import { ServiceError } from '../../platform/values/errors.ts'
import type { WarnedLines } from '../../platform/values/warning.ts'
import { CHANNELS } from '../../stops/compliance.ts'
import { getPhones, phonePk } from '../../stops/phone-store.ts'
import { catchUpWithStops } from '../../stops/stop.ts'
import { chainsOf } from '../rules/chains.ts'
import type { CsvRow } from '../rules/csv/rows.ts'
import type { RowResult } from '../rules/report-csv.ts'
import { type UploadCounts, warnedCounts } from '../upload.ts'
import { isTransient } from './failures.ts'
import { readAhead } from './read-ahead.ts'
import { keysOf, type LeadRow, type RejectedRow, type RowReader, readRow, refusedRow } from './read-row.ts'
import { ROWS_AT_ONCE, takeRowTurn } from './row-pace.ts'

/** Rows that are handled and counted together. */
export interface Batch {
  readonly upload: string
  /** The lane that takes the rows. 0: the upload has no lanes. */
  readonly lane: number
  readonly rows: readonly CsvRow[]
  /** Whether the rows may have been handled before. */
  readonly isRepeat: boolean
  /** By the machine's clock. Rows that are not written by then are left to a repeat. */
  readonly giveUpAt: number
  /** How the follow-up work of a written row runs. Default: at once, and its error fails the batch. */
  readonly follow?: FollowUp
  readonly writer: LeadWriter
}

export interface RowResults {
  readonly counts: UploadCounts
  /** In the order of the file. */
  readonly rejected: readonly RejectedRow[]
  /** The other rows. */
  readonly taken: readonly RowResult[]
  /** Of a dry run: when the leads would be called that the rows would write. */
  readonly preview: Preview
  /** Lines of the rows with each warning. */
  readonly warnedLines: WarnedLines
}

type Outcome = { readonly lead: Lead; readonly action: RowResult['result']; readonly others?: readonly number[] }
type Taken = Outcome & Pick<LeadRow, 'row' | 'line'>

/** @throws RaceLostError when time is up: another run may continue with the rows @param giveUpAt by the machine's clock */
export const checkTimeLeft = (giveUpAt: number): void => {
  if (realNow() > giveUpAt) throw new RaceLostError('There was no time left for the rows of a file.')
}

/** Writes one row. Idempotent. @throws every error that is not a refusal of the row */
const takeRow = async (
  { source, lookup }: RowReader,
  { upload, lane, rows, isRepeat, giveUpAt, follow = followAtOnce, writer }: Batch,
  send: SendCall,
  row: LeadRow,
  reads?: Reads,
): Promise<Outcome | RejectedRow> => {
  const mark = {
    upload,
    row: row.row,
    line: row.line,
    batchFrom: rows[0]?.at.row ?? row.row,
    isFirst: !isRepeat,
    ...(lane > 0 && { lane }),
  }
  const how = { row: mark, giveUpAt, writer, ...(reads && { reads }) }
  const { input } = row
  try {
    if (lookup === undefined || source.mode === 'create') return await writeCreate(source.owner, withPhone(input), how)
    return await writeUpsert(source.owner, input, { ...how, follow, send, lookups: [lookup], several: 'refuse', mode: source.mode })
  } catch (error) {
    if (error instanceof ServiceError && !isTransient(error)) return refusedRow(row, error)
    throw error
  }
}

const withPhone = ({ phone_number, ...input }: LeadRow['input']): CreateLead => {
  if (phone_number === undefined) throw new Error('A row without a phone number cannot create a lead.')
  return { ...input, phone_number }
}

/** Applies the stops that reached the phones of new leads in the meantime. Then dispatches the leads. */
const stopOrDispatch = async (owner: number, leads: readonly Lead[]): Promise<void> => {
  if (leads.length === 0) return
  const { dnc_group } = await knownUser(owner)
  const pks = await Promise.all(leads.map(({ phone_number }) => phonePk(dnc_group, phone_number)))
  const phones = await getPhones([...new Set(pks)])
  const current: Lead[] = []
  for (const [index, lead] of leads.entries()) {
    const pk = pks[index] ?? ''
    const phone = phones.get(pk)
    const isStopped = CHANNELS.some((channel) => phone?.[`${channel}_dnc`] && !lead[`${channel}_dnc`])
    current.push(isStopped ? await catchUpWithStops(lead, pk) : lead)
  }
  try {
    await dispatchEachSoon(current, now())
  } catch (error) {
    logger.warn('The messages for calls could not be queued. The sweep will send them.', {
      owner,
      leads: leads.length,
      error: loggable(error),
    })
  }
}

const countsOf = (taken: readonly Outcome[], rejected: number, warned: WarnedLines): UploadCounts => {
  const count = (result: string): number => taken.filter(({ action }) => action === result).length
  const reengaged = count('reengaged')
  return {
    ...{ created: count('created'), reengaged, updated: count('updated') + reengaged, unchanged: count('unchanged') },
    rejected,
    unhandled: 0,
    ...warnedCounts(warned),
  }
}

const previewed = async (owner: number, written: readonly Outcome[], writer: LeadWriter): Promise<Preview> => {
  if (!(writer instanceof DryRun)) return NO_LEADS
  return previewLeads(
    await knownUser(owner),
    written.map(({ lead }) => lead),
    writer,
  )
}

/**
 * Handles the rows of a batch: rows of one lead in order, the others at the same time. Idempotent: each row takes effect once and counts as
 * its first outcome.
 */
export const takeRows = async (reader: RowReader, batch: Batch): Promise<RowResults> => {
  const read = batch.rows.map((row) => readRow(reader, row))
  const chains = chainsOf(
    read.filter((row) => 'input' in row),
    (row) => keysOf(reader, row),
  )
  const heads = chains.flatMap(([first]) => first?.input ?? [])
  const reads = await readAhead(reader.source.owner, reader.lookup, heads, batch.isRepeat)
  const rejected: RejectedRow[] = read.filter((row) => 'cells' in row)
  const taken: Taken[] = []
  const { send, finish } = requestSender(batch.rows.length)
  await inLanes(ROWS_AT_ONCE, chains, async (chain) => {
    for (const [index, row] of chain.entries()) {
      const outcome = await onceNotBusy(batch.giveUpAt, async (isAgain) => {
        await takeRowTurn(batch.giveUpAt)
        checkTimeLeft(batch.giveUpAt)
        return isAgain
          ? takeRow(reader, { ...batch, isRepeat: true }, send, row)
          : takeRow(reader, batch, send, row, index === 0 ? reads : undefined)
      })
      if ('cells' in outcome) rejected.push(outcome)
      else taken.push({ ...outcome, row: row.row, line: row.line })
    }
  })
  const made = taken.flatMap(({ action, lead }) => (['created', 'reengaged'].includes(action) ? [lead] : []))
  const { follow = followAtOnce, writer } = batch
  await writer.afterwards(() => follow(() => stopOrDispatch(reader.source.owner, made)))
  await finish()
  const written = taken.filter(({ action }) => action !== 'unchanged')
  const causes = await causesOfWarnings(written, writer.over(READABLE_READS).leads)
  const earlier = new Map(written.map((one) => [one.row, earlierRow(one.lead, { upload: batch.upload, row: one.row })]))
  const later = written.filter(({ row }) => earlier.get(row))
  const warned = [...causes, ...(later.length > 0 ? [['earlier_row', later] as const] : [])]
  const warnedLines = Object.fromEntries(warned.map(([code, rows]) => [code, rows.map(({ line }) => line)]))
  const leadOf = (lead: Lead): number | null => (writer.isNew(lead) ? null : lead.id)
  return {
    counts: countsOf(taken, rejected.length, warnedLines),
    rejected: rejected.sort((a, b) => a.row - b.row),
    taken: taken.map(({ row, line, action, lead }) => ({ line, result: action, lead: leadOf(lead), earlier: earlier.get(row)?.line })),
    warnedLines,
    preview: await previewed(reader.source.owner, written, writer),
  }
}
