import type { Context } from 'aws-lambda'
import { agentMessage, lookMessage, sendCallMessages, watchMessage } from '#shared/backlog/dispatch.ts'
import { dueBetween } from '#shared/backlog/due.ts'
import { lookAtOwners } from '#shared/backlog/look-at-owners.ts'
import { allToLookAt } from '#shared/backlog/marks.ts'
import { allOwners } from '#shared/backlog/owners.ts'
import { adoptFormerLists } from '#shared/backlog/release/adopt-former-lists.ts'
import { followDeployment } from '#shared/backlog/release/follow-deployment.ts'
import { lookAtParts } from '#shared/backlog/release/parts.ts'
import { accountOf, isSetting } from '#shared/backlog/rules/holders.ts'
import { firstInTurns } from '#shared/backlog/rules/turns.ts'
import { sendLostTasks } from '#shared/leads/bulk/tasks.ts'
import { now } from '#shared/platform/clock.ts'
import { setting } from '#shared/platform/environment.ts'
import { idsTaken } from '#shared/platform/ids/ids.ts'
import { isMarkedApart, RETRY_KEYS, TASK_KEYS, WATCH_KEYS } from '#shared/platform/keys.ts'
import { measure } from '#shared/platform/metrics.ts'
import { send } from '#shared/platform/queues/queues.ts'
import { logRun } from '#shared/platform/run-log.ts'
import { DAY, MINUTE, SECOND, secondsUntil } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { sweepUploads } from '#shared/uploads/ingest/sweep-uploads.ts'
import { outgoingDelivery } from '#shared/webhooks/deliveries.ts'
import { type DueDelivery, dueDeliveryPages, overdueDeliveryPages } from '#shared/webhooks/delivery-store.ts'
import { isSweepToSendAgain } from '#shared/webhooks/rules/after-attempt.ts'

/** How far the sweep looks ahead. At least two sweeps send each retry of a webhook, so that one may be late or fail. */
const AHEAD = 130 * SECOND
/** Items that were due longer ago are sent again in limited numbers. */
const OVERDUE = MINUTE
const OVERDUE_LIMIT = 125

/** Uploads and lanes that one sweep sends. */
const UPLOADS = 2_000

/** Calls in progress that one sweep looks at, in each shard. Only calls that last long are looked at. */
const WATCHED = 10_000

/** Owners in one message. */
const BLOCK = 25

/** Looks at the due leads of all owners: here while there are few, and in runs of their own when there are more. */
const lookAtAll = async (): Promise<void> => {
  const owners = await allOwners()
  if (owners.length <= BLOCK) return lookAtOwners(owners)
  const blocks = Array.from({ length: Math.ceil(owners.length / BLOCK) }, (_, block) => owners.slice(block * BLOCK, (block + 1) * BLOCK))
  await sendCallMessages(blocks.map(lookMessage))
}

const watchCalls = async (key: string): Promise<void> => {
  const watched = await dueBetween(key, 0, now() + 1, WATCHED)
  await sendCallMessages(watched.map(watchMessage))
}

const sendRetries = (retries: readonly DueDelivery[], at: Instant): Promise<void> =>
  send(
    setting('DELIVERY_QUEUE_URL'),
    retries.map(({ message, due }) => outgoingDelivery(message, secondsUntil(due, at))),
  )

/** One page at a time, so that memory does not have to hold everything that is due soon. */
const dispatchSoonRetries = async (key: string): Promise<void> => {
  const at = now()
  for await (const page of dueDeliveryPages(key, at - OVERDUE, at + AHEAD)) await sendRetries(page, at)
}

/** Overdue retries of a partition that this sweep may send again. */
async function* lostRetryPages(key: string, at: Instant): AsyncGenerator<DueDelivery[]> {
  for await (const page of overdueDeliveryPages(key, at - OVERDUE)) yield page.filter(({ due }) => isSweepToSendAgain(at - due))
}

/** Owners take turns, and so do each owner's subscriptions: thousands of retries of one do not delay the others. */
const dispatchOverdueRetries = async (key: string): Promise<void> => {
  const at = now()
  const turns = [({ message }: DueDelivery) => message.subscription, ({ message }: DueDelivery) => message.owner]
  await sendRetries(await firstInTurns(lostRetryPages(key, at), OVERDUE_LIMIT, turns), at)
}

/**
 * Marks that one sweep reads. One file can take this many numbers off the litigator list. Until version 1.0.2, their marks came before those of
 * agents.
 */
const MARKS_READ = 100_000
/** Changed settings that one sweep checks. The next sweep checks further ones. */
const SETTINGS = 5_000

/** The order in which a sweep checks marks. Kinds with many marks come later: accounts, and last litigators and leads. */
const rankOf = (name: string): number => {
  if (isMarkedApart(name)) return 2
  return accountOf(name) === undefined ? 0 : 1
}

/** No setting is marked for later than this, unless the clock was set back. */
const MARKED_AHEAD = 15 * MINUTE

const isToCheck = (marked: Instant, at: Instant): boolean => marked < at + AHEAD || marked > at + MARKED_AHEAD

/**
 * Checks agents, and settings whose mark is due soon. Also checks agents whose pause is far from over: their address may have been changed.
 */
const lookAtAgents = async (): Promise<void> => {
  const at = now()
  const marked = await allToLookAt(at + DAY, MARKS_READ)
  // One file can take a hundred thousand numbers off the list of litigators, thousands of leads may need another look, and a deployment may
  // mark all accounts. Other changes must not wait for them.
  const settings = marked
    .filter(({ agent, instant }) => isSetting(agent) && isToCheck(instant, at))
    .toSorted((one, other) => rankOf(one.agent) - rankOf(other.agent) || one.instant - other.instant)
  const agents = marked.filter(({ agent }) => !isSetting(agent))
  await sendCallMessages(
    [...agents, ...settings.slice(0, SETTINGS)].map(({ agent, instant }) =>
      agentMessage({ type: 'probe', agent }, instant < at + AHEAD ? secondsUntil(instant, at) : 0),
    ),
  )
}

const countIds = async (): Promise<void> => measure('ids_taken', await idsTaken())

const sweep = async (): Promise<void> => {
  const results = await Promise.allSettled([
    lookAtAll(),
    adoptFormerLists(),
    ...WATCH_KEYS.map(watchCalls),
    ...RETRY_KEYS.map(dispatchSoonRetries),
    ...RETRY_KEYS.map(dispatchOverdueRetries),
    sweepUploads(UPLOADS),
    ...TASK_KEYS.map((key) => sendLostTasks(key, OVERDUE_LIMIT)),
    followDeployment().finally(lookAtAgents),
    lookAtParts(),
    countIds(),
  ])
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (failures.length > 0) throw new AggregateError(failures, 'Part of the sweep failed. The next sweep retries it.')
}

/** The sweep of each minute: sends everything that is due or soon will be. It checks calls in progress and agents that did not answer. */
export const handler = (_event?: unknown, context?: Partial<Context>): Promise<void> => logRun(context, sweep)
