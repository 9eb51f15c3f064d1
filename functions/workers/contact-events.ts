import * as v from 'valibot'
import type { Agent } from '#shared/accounts/configuration.ts'
import { agentsOn } from '#shared/agents/agent-store.ts'
import { earliestStart, latestRequest } from '#shared/agents/platforms/own-call.ts'
import { takeAbout } from '#shared/agents/take-from-platform.ts'
import { calledNumberIn, callIdIn, pollCall, type Translation, translateCallback } from '#shared/agents/voice-agent.ts'
import type { Call } from '#shared/calling/call.ts'
import { type ErasedCall, getCallEver } from '#shared/erasure/erased-call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { consume, RetryMessage } from '#shared/platform/queues/queue-consumer.ts'
import { cached } from '#shared/platform/table/cached.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'

/** A contact event of Amazon Connect, as EventBridge delivers it. */
const ContactEvent = v.object({
  region: v.string(),
  detail: v.object({
    instanceArn: v.pipe(v.string(), v.minLength(1)),
    initiationTimestamp: v.optional(v.string(), ''),
  }),
})
type ContactEvent = v.InferOutput<typeof ContactEvent>

/** The agents that call through an instance, by its region and id. */
const agentsOf = cached(async (instance: string): Promise<readonly Agent[]> => {
  const agents = await agentsOn('connect')
  return agents.filter(({ platform }) => `${platform?.settings['region']}/${platform?.settings['instance_id']}` === instance)
})

const instanceOf = ({ region, detail }: ContactEvent): string => `${region}/${detail.instanceArn.split('/').at(-1)}`

/** Whether a contact with our id of the call is ours. Another deployment may call through the same instance with the same ids. */
const isOwn = (call: Call | ErasedCall, contact: string, begun: Instant): boolean => {
  if ('erased_time' in call) return begun <= call.erased_time
  const { provider_call_id, intent_time: intentTime, not_after: notAfter } = call
  return provider_call_id === contact || (begun >= earliestStart({ intentTime }) && begun <= latestRequest({ notAfter }))
}

/** The record of a contact may lag behind its event. If it is still missing after this time, the sweep polls for it. */
const AWAITED = 5 * MINUTE

/** Merges the reports of an event and of the record. For one type, the record wins. */
const merged = (event: Translation['reports'], record: Translation['reports']): Translation['reports'] => {
  const types = new Set(record.map(({ type }) => type))
  return [...event.filter(({ type }) => !types.has(type)), ...record]
}

const take = async (event: ContactEvent, body: string): Promise<void> => {
  const agents = (await agentsOf(instanceOf(event))) ?? []
  const [agent] = agents
  if (!agent) return
  const translation = translateCallback(agent, { url: '', rawBody: body, headers: {}, at: now() })
  if (!translation) throw new Error('The message is not a contact event that Amazon Connect documents.')
  const { platformCallId, reports } = translation
  if (platformCallId === null || reports.length === 0) return
  // The record has our id of the call, and the outcome once the call is over. An event has neither.
  const polled = await pollCall(agent, platformCallId)
  if (!polled) throw new Error(`Amazon Connect did not return the contact ${platformCallId}.`)
  const callId = callIdIn(polled)
  const call = callId === null ? undefined : await getCallEver(callId)
  const caller = agents.find(({ id }) => id === call?.agent)
  if (!call || !caller || !isOwn(call, platformCallId, Date.parse(event.detail.initiationTimestamp))) return
  const recorded = polled.kind === 'translated' ? polled.translation.reports : []
  const calledNumber = calledNumberIn(polled)
  const taken = await takeAbout(call, caller, { ...translation, callId, calledNumber, reports: merged(reports, recorded) }, { text: body })
  if (taken.status === 'ignored') return
  const end = reports.find(({ type }) => type === 'call.ended')
  const isOutcomeReported = polled.kind === 'translated' || reports.some(({ type }) => type === 'call.completed')
  if (end && !isOutcomeReported && now() < Date.parse(end.time) + AWAITED)
    throw new RetryMessage('The record of the call is not written yet.')
}

/** Each event is a reason to read the record of its contact. */
export const handler = consume(ContactEvent, (event, record) => take(event, record.body))
