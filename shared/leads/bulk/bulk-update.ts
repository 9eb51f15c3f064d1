import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { unknownLeadType, withLeadTypeErrors } from '../../accounts/lead-type.ts'
import { getLeadType } from '../../accounts/lead-type-store.ts'
import type { Requester } from '../../accounts/requester.ts'
import { fieldErrors, isDictionary } from '../../http/fields/field.ts'
import { unknownId } from '../../http/fields/number.ts'
import { now } from '../../platform/clock.ts'
import { taskIdOf } from '../../platform/keys.ts'
import { inLanes } from '../../platform/lanes.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { nextSequence } from '../../platform/sequence.ts'
import { TableBusyError } from '../../platform/transient-errors.ts'
import { busy, invalid } from '../../platform/values/errors.ts'
import type { Warning } from '../../platform/values/warning.ts'
import { NOT_AN_OBJECT } from '../api/bulk-request.ts'
import { AskedUpdate, type UpdateLead } from '../api/lead-request.ts'
import type { Lead } from '../lead.ts'
import { getLeads } from '../lead-store.ts'
import { warningsOfQueued } from '../lead-warnings.ts'
import { setsAnything, splitStops } from '../rules/update/stops.ts'
import { updateLead } from '../update-lead.ts'
import { refusalReason, refusalText } from './refusal.ts'
import type { Task } from './task.ts'
import { insertTasks } from './task-store.ts'
import { lostFrom, sendTasks } from './tasks.ts'

/** Reads an item of a bulk update. */
export const readLeadUpdate = async (owner: number, item: unknown): Promise<AskedUpdate | Refused> => {
  if (!isDictionary(item)) return { error: NOT_AN_OBJECT }
  const read = v.safeParse(AskedUpdate, item)
  if (read.success) return read.output
  return { error: refusalText(invalid(await withLeadTypeErrors(owner, item, fieldErrors(read.issues)))) }
}

/** An update whose lead and lead type belong to the owner. */
interface BulkUpdateItem extends AskedUpdate {
  readonly owner: number
  /** The lead before any update of this request. */
  readonly before: Lead
  /** Acceptance sequences: `stopped` for the update's stop, which is written first, and `accepted` for its other fields. */
  readonly stopped: string
  readonly accepted: string
}

/** How many phones are updated at the same time. */
const LANES = 25

/** Runs updates of one phone in order, because its leads share the phone's stops. */
const eachByPhone = async (
  updates: readonly BulkUpdateItem[],
  run: (update: BulkUpdateItem, ofPhone: readonly BulkUpdateItem[]) => Promise<void>,
) => {
  const groups = Map.groupBy(updates, ({ before }) => before.phone_number).values()
  await inLanes(LANES, groups, async (group) => {
    for (const update of group) await run(update, group)
  })
}

/**
 * Milliseconds. After this time, the request starts no further stop and looks for no warning, so that it is answered before its timeout.
 */
const LONGEST = 25_000
const NOT_DONE = 'The lead could not be updated. Please send it again.'
/** The error of an update when the table was too busy for it, or for one before. */
const BUSY = busy().message

const stop = async (
  { owner, lead, stopped }: BulkUpdateItem,
  stops: UpdateLead,
  { ofPhone, staff }: { readonly ofPhone: readonly BulkUpdateItem[]; readonly staff: number | undefined },
): Promise<string | null> => {
  const lastStops = {
    call: ofPhone.findLast(({ patch }) => patch.call_dnc)?.stopped,
    sms: ofPhone.findLast(({ patch }) => patch.sms_dnc)?.stopped,
  }
  try {
    return await refusalReason(updateLead(owner, lead, stops, { cause: 'MANUAL', accepted: stopped, atOnce: true, lastStops, staff }))
  } catch (error) {
    if (error instanceof TableBusyError) return BUSY
    logger.error('The do-not-contact flags or status of a bulk item could not be written.', { lead, error: loggable(error) })
    return NOT_DONE
  }
}

/**
 * Writes the stops of updates. When the table is too busy for one, no further update is accepted.
 * @returns the error of each update that is not accepted
 */
const stopAtOnce = async (
  updates: readonly BulkUpdateItem[],
  staff: number | undefined,
  isLate: () => boolean,
): Promise<Map<BulkUpdateItem, string>> => {
  const refused = new Map<BulkUpdateItem, string>()
  let isBusy = false
  await eachByPhone(updates, async (update, ofPhone) => {
    const { stops } = splitStops(update.patch)
    if (!setsAnything(stops)) return
    const error = isBusy ? BUSY : isLate() ? NOT_DONE : await stop(update, stops, { ofPhone, staff })
    if (error !== null) refused.set(update, error)
    isBusy ||= error === BUSY
  })
  const without = updates.filter(({ patch }) => !setsAnything(splitStops(patch).stops))
  if (isBusy) for (const update of without) refused.set(update, BUSY)
  return refused
}

/** Why an update is not accepted: text for the client. */
interface Refused {
  readonly error: string
}

/** The background task for the rest of an update, or the reason of a refusal. */
export type BulkUpdateAnswer = { readonly task: Task } | Refused

/** Reads each named lead and lead type once. */
const lookUp = async (owner: number, asked: readonly AskedUpdate[]) => {
  const leadTypes = new Set(asked.flatMap(({ patch }) => patch.lead_type ?? []))
  const [leads, ...found] = await Promise.all([
    getLeads([...new Set(asked.map(({ lead }) => lead))], { consistent: true }),
    ...[...leadTypes].map((id) => getLeadType(owner, id)),
  ])
  return { leads, leadTypes: new Set(found.map((leadType) => leadType?.id)) }
}

/** Keeps the order. Refuses updates whose lead or lead type is not the owner's. */
const take = async (owner: number, asked: readonly (AskedUpdate | Refused)[]): Promise<(BulkUpdateItem | Refused)[]> => {
  const { leads, leadTypes } = await lookUp(
    owner,
    asked.flatMap((one) => ('error' in one ? [] : one)),
  )
  const takeOne = async (one: AskedUpdate | Refused): Promise<BulkUpdateItem | Refused> => {
    if ('error' in one) return one
    const before = leads.get(one.lead)
    if (before?.owner !== owner) return { error: `id: ${unknownId(one.lead)}` }
    const leadType = one.patch.lead_type ?? null
    if (leadType !== null && !leadTypes.has(leadType)) {
      return { error: `lead_type: ${await unknownLeadType(owner, leadType)}` }
    }
    return { ...one, owner, before, stopped: nextSequence(), accepted: nextSequence() }
  }
  const taken: (BulkUpdateItem | Refused)[] = []
  // Take updates one after the other, so that the acceptance sequences follow the order of the request.
  for (const one of asked) taken.push(await takeOne(one))
  return taken
}

const taskFor = ({ owner, lead, patch, accepted }: BulkUpdateItem, at: number, staff: number | undefined): Task => {
  const { rest } = splitStops(patch)
  const isLeft = setsAnything(rest)
  return {
    task_id: taskIdOf(randomUUID(), lead),
    owner,
    lead,
    ...(staff !== undefined && { staff }),
    accepted,
    status: isLeft ? 'queued' : 'applied',
    error: null,
    patch: isLeft ? rest : null,
    updated_time: at,
    expires_at: null,
  }
}

/** Stores the tasks before it sends them. From then on they are safe: the sweep sends tasks whose message could not be sent. */
const enqueue = async (tasks: readonly Task[], at: number): Promise<void> => {
  await insertTasks(tasks, lostFrom(at, 0))
  try {
    await sendTasks(tasks.filter(({ status }) => status === 'queued'))
  } catch (error) {
    logger.warn('Tasks could not be sent. The sweep will send them.', { error: loggable(error) })
  }
}

interface Accepted {
  /** One answer per update, in the given order. */
  readonly answers: readonly BulkUpdateAnswer[]
  readonly warnings: readonly Warning[]
}

/**
 * Accepts updates of an owner's leads. Stops are written before this returns. The rest is stored as tasks that survive any crash. The later
 * of two updates of one lead wins, in whatever order the tasks run.
 */
export const acceptUpdates = async ({ id: owner, staff }: Requester, asked: readonly (AskedUpdate | Refused)[]): Promise<Accepted> => {
  const began = performance.now()
  const isLate = () => performance.now() - began > LONGEST
  const taken = await take(owner, asked)
  const refused = await stopAtOnce(
    taken.flatMap((one) => ('error' in one ? [] : one)),
    staff,
    isLate,
  )
  const at = now()
  const answers = taken.map((one): BulkUpdateAnswer => {
    if ('error' in one) return one
    const error = refused.get(one)
    return error === undefined ? { task: taskFor(one, at, staff) } : { error }
  })
  await enqueue(
    answers.flatMap((answer) => ('task' in answer ? answer.task : [])),
    at,
  )
  const accepted = new Map(taken.flatMap((one, place) => ('error' in one || refused.has(one) ? [] : [[place, one]])))
  return { answers, warnings: await warningsOfQueued(accepted, isLate) }
}
