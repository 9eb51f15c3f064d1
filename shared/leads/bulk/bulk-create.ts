import * as v from 'valibot'
import { withLeadTypeErrors } from '../../accounts/lead-type.ts'
import { requestSender } from '../../backlog/dispatch.ts'
import { fieldErrors, isDictionary } from '../../http/fields/field.ts'
import { realNow } from '../../platform/clock.ts'
import { NO_IDS_LEFT } from '../../platform/ids/ids.ts'
import type { Reservation } from '../../platform/ids/reservations.ts'
import { inLanes } from '../../platform/lanes.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { lastBusy } from '../../platform/table/busy.ts'
import { RaceLostError, TableBusyError } from '../../platform/transient-errors.ts'
import { SECOND } from '../../platform/values/durations.ts'
import { busy, invalid, ServiceError } from '../../platform/values/errors.ts'
import type { Warning } from '../../platform/values/warning.ts'
import { NOT_AN_OBJECT } from '../api/bulk-request.ts'
import { CreateLead } from '../api/lead-request.ts'
import { type Created as CreatedLead, type CreateOptions, createLead } from '../create-lead.ts'
import { warningsInOrder, warningsOf } from '../lead-warnings.ts'
import { takeBulkTurn } from './bulk-pace.ts'
import { refusalText } from './refusal.ts'

/** The result of one item, as clients see it. */
type Result =
  | { readonly id: null; readonly action: 'error'; readonly error: string }
  | {
      readonly id: number
      readonly action: 'created' | 'reengaged' | 'updated'
      readonly phone_number: string
      readonly external_id: string | null
      readonly enqueue_error?: true
    }

const failed = (error: string): Result => ({ id: null, action: 'error', error })

const NOT_CREATED = failed('The lead could not be created. Please send it again.')

/** The result of an item that was not begun, or that lost too many races for its person. */
const NO_TIME = failed('There was no time left for this lead. Please send it again.')

const NO_IDS = failed(NO_IDS_LEFT)

/** The result of an item when the table was too busy for it, or for one before. */
const BUSY = failed(busy().message)

/** Whether the item may succeed if it is sent again unchanged. */
const isUnfinished = (result: Result): boolean => [NOT_CREATED, NO_TIME, NO_IDS, BUSY].includes(result)

/** The item's fields, or why it cannot be a lead. */
const readNewLead = async (owner: number, item: unknown): Promise<{ readonly input: CreateLead } | { readonly result: Result }> => {
  if (!isDictionary(item)) return { result: failed(NOT_AN_OBJECT) }
  const read = v.safeParse(CreateLead, item)
  if (read.success) return { input: read.output }
  return { result: failed(refusalText(invalid(await withLeadTypeErrors(owner, item, fieldErrors(read.issues))))) }
}

type Written = Pick<CreatedLead, 'lead' | 'others'>

/** Creates one lead. A failure does not affect the others. */
const createItem = async (
  owner: number,
  input: CreateLead,
  options: CreateOptions,
  onWritten: (written: Written) => void,
): Promise<Result> => {
  try {
    const { lead, action, enqueued, others } = await createLead(owner, input, options)
    onWritten({ lead, others })
    const { id, phone_number, external_id } = lead
    return { id, action, phone_number, external_id, ...(action === 'created' && !enqueued && { enqueue_error: true }) }
  } catch (error) {
    if (error instanceof ServiceError) return error.code === 'unavailable' ? NO_IDS : failed(refusalText(error))
    if (error instanceof RaceLostError) return NO_TIME
    if (error instanceof TableBusyError) return BUSY
    logger.error('A lead of a bulk request could not be created.', { error: loggable(error) })
    return NOT_CREATED
  }
}

/** Number of phones whose leads are created concurrently. */
export const CREATES_AT_ONCE = 16

/**
 * API Gateway waits for 29 s, and a part of that has passed. Items that are not done by then are answered as `NO_TIME`: otherwise the
 * client gets no answer at all.
 */
const TIME = 20 * SECOND

interface Reserved {
  /** The id of a new lead, by the item's index among the valid ones. A repeat gets the same id, whatever the table holds. */
  readonly reservation: (place: number) => Reservation
  /** Whether an earlier run may have created some leads. Default: no. */
  readonly isRepeat?: boolean
  /** The member of staff who acts for the owner. */
  readonly staff?: number | undefined
}

interface Created {
  readonly results: Result[]
  /** Warnings about the first items of the request: a header has no room for all. */
  readonly warnings: readonly Warning[]
  readonly isFinished: boolean
}

/** Most other leads of the same phones that one request reads to warn about open leads. */
const MOST_OTHERS_READ = 100

const warningsAbout = (written: ReadonlyMap<number, Written>, end: number): Promise<Warning[]> => {
  let left = MOST_OTHERS_READ
  return warningsInOrder(
    written,
    () => realNow() >= end,
    ({ lead, others }) => {
      const read = others.slice(0, left)
      left -= read.length
      return warningsOf(lead, read)
    },
  )
}

/**
 * Creates leads with the same result as one by one. Leads of one phone are created in the given order, others concurrently.
 * @returns the result of each item, in the given order, and whether all items are done, so that a retry of the request need not run again
 */
export const createAll = async (
  owner: number,
  items: readonly unknown[],
  { reservation, isRepeat = false, staff }: Reserved,
): Promise<Created> => {
  const began = realNow()
  const end = began + TIME
  const read = await Promise.all(items.map((item) => readNewLead(owner, item)))
  const valid = read.flatMap((one, place) => ('input' in one ? { ...one, place } : []))
  const phones = Map.groupBy(
    valid.map((one, index) => ({ ...one, reservation: reservation(index) })),
    ({ input }) => input.phone_number,
  ).values()
  const done = new Map<number, Result>()
  const written = new Map<number, Written>()
  const { send, finish } = requestSender(valid.length)
  let leftOut = NO_TIME
  await inLanes(CREATES_AT_ONCE, phones, async (group) => {
    for (const { place, input, reservation: own } of group) {
      const hasTurn = leftOut !== BUSY && (await takeBulkTurn(end))
      if (!hasTurn && lastBusy.at >= began) leftOut = BUSY
      // Others may have found the table too busy meanwhile.
      if (!hasTurn || leftOut === BUSY) continue
      const options = { reservation: own, isRepeat, staff, giveUpAt: end, send }
      const result = await createItem(owner, input, options, (lead) => written.set(place, lead))
      if (result === BUSY) leftOut = BUSY
      done.set(place, result)
    }
  })
  await finish()
  const results = read.map((one, place) => ('result' in one ? one.result : (done.get(place) ?? leftOut)))
  const warnings = await warningsAbout(written, end)
  return { results, warnings, isFinished: !results.some(isUnfinished) }
}
