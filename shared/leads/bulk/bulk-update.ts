import { randomUUID } from 'node:crypto'
import { getLeadType } from '../../accounts/lead-type-store.ts'
import { unknownId } from '../../http/fields/number.ts'
import { now } from '../../platform/clock.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { nextSequence } from '../../platform/sequence.ts'
import { getLeads } from '../lead-store.ts'
import { setsAnything, splitStops } from '../rules/update/stops.ts'
import { type AskedUpdate, type BulkUpdateItem, stopAtOnce } from './bulk-stops.ts'
import type { Task } from './task.ts'
import { insertTasks } from './task-store.ts'
import { lostFrom, sendTasks } from './tasks.ts'

/** Why an update is not accepted: text for the client. */
export interface Refused {
  readonly error: string
}

/** The task for the rest of an update, or why there is none. */
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
  return asked.map((one) => {
    if ('error' in one) return one
    const before = leads.get(one.lead)
    if (before?.owner !== owner) return { error: `id: ${unknownId(one.lead)}` }
    const leadType = one.patch.lead_type ?? null
    if (leadType !== null && !leadTypes.has(leadType)) return { error: `lead_type: ${unknownId(leadType)}` }
    return { ...one, owner, before, stopped: nextSequence(), accepted: nextSequence() }
  })
}

const taskFor = ({ owner, lead, patch, accepted }: BulkUpdateItem, at: number): Task => {
  const { rest } = splitStops(patch)
  const isLeft = setsAnything(rest)
  return {
    task_id: randomUUID(),
    owner,
    lead,
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
    logger.warn('Left to the sweep: tasks could not be sent.', { error: loggable(error) })
  }
}

/**
 * Accepts updates of an owner's leads. Stops are written before this returns. The rest is stored as tasks that survive any crash. The later
 * of two updates of one lead wins, in whatever order the tasks run.
 * @returns one answer per update, in the order given
 */
export const acceptUpdates = async (owner: number, asked: readonly (AskedUpdate | Refused)[]): Promise<BulkUpdateAnswer[]> => {
  const began = performance.now()
  const taken = await take(owner, asked)
  const refused = await stopAtOnce(
    taken.flatMap((one) => ('error' in one ? [] : one)),
    began,
  )
  const at = now()
  const answers = taken.map((one): BulkUpdateAnswer => {
    if ('error' in one) return one
    const error = refused.get(one)
    return error === undefined ? { task: taskFor(one, at) } : { error }
  })
  await enqueue(
    answers.flatMap((answer) => ('task' in answer ? answer.task : [])),
    at,
  )
  return answers
}
