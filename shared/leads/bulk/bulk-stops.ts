import { loggable, logger } from '../../platform/logger.ts'
import type { UpdateLead } from '../api/update-lead.ts'
import type { Lead } from '../lead.ts'
import { setsAnything, splitStops } from '../rules/update/stops.ts'
import { updateLead } from '../update-lead.ts'
import { refusalReason } from './refusal.ts'

/** One update of a bulk request. */
export interface AskedUpdate {
  readonly lead: number
  readonly patch: UpdateLead
}

/** An update whose lead and lead type belong to the owner. */
export interface BulkUpdateItem extends AskedUpdate {
  readonly owner: number
  /** The lead before any update of this request. */
  readonly before: Lead
  /** Acceptance sequences: `stopped` for the stop, which is written first, and `accepted` for the rest. */
  readonly stopped: string
  readonly accepted: string
}

/** How many phones are updated at the same time. */
const LANES = 25

/** Updates of one phone run in order: its leads share the phone's stops. */
const eachByPhone = async (
  updates: readonly BulkUpdateItem[],
  run: (update: BulkUpdateItem, ofPhone: readonly BulkUpdateItem[]) => Promise<void>,
) => {
  const groups = Map.groupBy(updates, ({ before }) => before.phone_number).values()
  const lane = async (): Promise<void> => {
    for (const group of groups) for (const update of group) await run(update, group)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** Milliseconds. No further stop is started after this time, so that the request is answered before its timeout. */
const LONGEST = 25_000
const NOT_DONE = 'The lead could not be updated. Please send it again.'

const stop = async (
  { owner, lead, stopped }: BulkUpdateItem,
  stops: UpdateLead,
  ofPhone: readonly BulkUpdateItem[],
): Promise<string | null> => {
  const lastStops = {
    call: ofPhone.findLast(({ patch }) => patch.call_dnc)?.stopped,
    sms: ofPhone.findLast(({ patch }) => patch.sms_dnc)?.stopped,
  }
  try {
    return await refusalReason(updateLead(owner, lead, stops, { cause: 'MANUAL', accepted: stopped, atOnce: true, lastStops }))
  } catch (error) {
    logger.error('The stop of an item could not be written.', { lead, error: loggable(error) })
    return NOT_DONE
  }
}

/**
 * Writes the stops of updates.
 * @param began start of the request, as `performance.now()`
 * @returns the error of each update whose stop was refused or could not be written
 */
export const stopAtOnce = async (updates: readonly BulkUpdateItem[], began: number): Promise<Map<BulkUpdateItem, string>> => {
  const refused = new Map<BulkUpdateItem, string>()
  await eachByPhone(updates, async (update, ofPhone) => {
    const { stops } = splitStops(update.patch)
    if (!setsAnything(stops)) return
    const error = performance.now() - began > LONGEST ? NOT_DONE : await stop(update, stops, ofPhone)
    if (error !== null) refused.set(update, error)
  })
  return refused
}
