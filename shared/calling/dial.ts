import * as v from 'valibot'
import type { User } from '../accounts/configuration.ts'
import { getUser } from '../accounts/user-store.ts'
import { getAgent } from '../agents/agent-store.ts'
import { claimProbe } from '../agents/breaker-store.ts'
import { forCall, isHalfOpen } from '../agents/rules/breaker.ts'
import { dispatchSoon } from '../backlog/dispatch.ts'
import { isAnyCallable, typeState } from '../backlog/due-leads.ts'
import { passLineOn } from '../backlog/fill-lines.ts'
import { markUnreadable, planLead } from '../backlog/plan-again.ts'
import { sendProbes } from '../backlog/probe-agent.ts'
import { quarantineLead } from '../backlog/quarantine.ts'
import { isPaused, leadHolder, leadTypeHolder, settingOf } from '../backlog/rules/holders.ts'
import { noteWaiting } from '../backlog/waiting-store.ts'
import { getConsentState } from '../consents/consent-store.ts'
import { readConsent } from '../consents/read-consent.ts'
import type { Lead } from '../leads/lead.ts'
import { replaceLead, saveLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { callId, parsePhonePk } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import { transact } from '../platform/table/transactions.ts'
import type { GateName } from '../platform/values/values.ts'
import { answersAbout } from '../reassigned/answer-store.ts'
import { getPhone, phonePk, takePhone } from '../stops/phone-store.ts'
import { catchUpWithStops } from '../stops/stop.ts'
import type { Call } from './call.ts'
import { insertCall } from './call-store.ts'
import { isBehindCalls } from './finish/missed-calls.ts'
import { readGateInputs } from './gate-inputs.ts'
import { addGroups, getLines, seeAllLines, seeLines, takeLine } from './line-store.ts'
import { intendedCall, whileDialling } from './rules/dial/intent.ts'
import { recentAttempts } from './rules/dial/recent-attempts.ts'
import { afterRefusal } from './rules/dial/refusal.ts'
import { firstRefusal, judge } from './rules/gates/judge.ts'
import type { GateInputs, Verdict } from './rules/verdict.ts'

/** `raced`: something changed between reading and writing. The caller must read everything again. */
export type Dialled = { readonly call: Call; readonly lead: Lead } | 'refused' | 'raced'

type Shown = Pick<Lead, 'next_call_time' | 'next_call_time_reason' | 'due_list' | 'held_by'>

const isSamePlan = (lead: Shown, next: Shown): boolean =>
  lead.next_call_time === next.next_call_time &&
  lead.next_call_time_reason === next.next_call_time_reason &&
  lead.due_list === next.due_list &&
  lead.held_by === next.held_by

/** Looks at the lines again once the lead is noted as waiting: one may have become free meanwhile. */
const lookAtLinesAgain = async ({ lead, owner, lines, now: at }: GateInputs): Promise<Dialled> => {
  await noteWaiting(lead.owner, lines, at)
  const current = await getLines(lead.owner)
  const { inUse, limit } = await seeAllLines(owner, current)
  return inUse < limit ? 'raced' : 'refused'
}

/** Looks at the pause again once the lead is held. An unpause may have gone through the held leads before. */
const lookAtPauseAgain = async (lead: Lead): Promise<Dialled> =>
  isPaused({ lead, lines: await getLines(lead.owner) }) ? 'refused' : 'raced'

/** Looks at the consent again once the lead is held. A consent may have arrived meanwhile, and found no held lead to release. */
const lookAtConsentAgain = async ({ lead, leadType, consent }: GateInputs, moved: Lead): Promise<Dialled> => {
  const current = await readConsent(lead, leadType, consent !== null)
  if (moved.held_by === null || current?.last_sequence === consent?.last_sequence) return 'refused'
  const planned = await planLead(lead.id, moved.held_by)
  if (planned) await dispatchSoon(planned, now())
  return 'refused'
}

/**
 * Plans a lead again that a setting holds. Only a message that is delivered again finds one: the run before may have died after it held the
 * lead, before its second look.
 */
const planHeldLead = async (lead: Lead): Promise<Lead | undefined> => {
  const setting = settingOf(lead)
  return setting === undefined ? undefined : planLead(lead.id, setting)
}

/** Gates that may pass after a consent. */
const USE_CONSENTS: ReadonlySet<GateName> = new Set(['consent', 'registry', 'reassigned'])

const move = async (inputs: GateInputs, refusal: Verdict): Promise<Dialled> => {
  const { lead, now: at } = inputs
  const next = afterRefusal(inputs, refusal)
  if (!next) {
    await dispatchSoon((await planHeldLead(lead)) ?? lead, at)
    return 'refused'
  }
  const moved: Lead = { ...lead, ...next, version: lead.version + 1, cause: 'schedule' }
  const isMoved = !isSamePlan(lead, moved) || moved.former_place !== lead.former_place
  if (isMoved && !(await saveLead(moved))) return 'raced'
  if (refusal.gate === 'capacity' && moved.due_list === 'CALL') return lookAtLinesAgain(inputs)
  if (refusal.gate === 'paused') return lookAtPauseAgain(moved)
  if (USE_CONSENTS.has(refusal.gate) && moved.held_by !== null) return lookAtConsentAgain(inputs, moved)
  if (isMoved) await dispatchSoon(moved, at)
  return 'refused'
}

/**
 * After these refusals, the lead does not pass its line on. Either no line is free, or the lead is one of many paused ones. The dial of the
 * last paused one fills the lines.
 */
const PASSES_NO_LINE = new Set(['LINES_BUSY', 'PAUSED'])
/** These refusals concern all leads of an agent or a lead type. Another lead is searched only if one of another agent or type may wait. */
const BLOCKS_TYPE = new Set(['AGENT_DOWN', 'INACTIVE', 'NO_AGENT'])

/** Whether the message of a lead is a turn to probe its agent. */
const isProbe = ({ lead, leadType }: GateInputs): boolean => lead.due_list === 'HELD' && lead.held_by === leadType?.agent

/**
 * Whether another lead of the owner may take the line of a refused one. A lead that was held already counts too: the run before may have died
 * after it held the lead, before it passed the line on.
 */
const mayPassLineOn = async (inputs: GateInputs, { code }: Verdict): Promise<boolean> => {
  if (PASSES_NO_LINE.has(code)) return false
  if (!BLOCKS_TYPE.has(code)) return !isProbe(inputs)
  const { lead, lines, now: at } = inputs
  return lines.waiting_time !== null && (await isAnyCallable(lead.owner, at, lines.paused_upto))
}

/** A refused lead passes its turn on: the turn to take a line, or to probe an agent. */
const passOn = async (inputs: GateInputs, refusal: Verdict): Promise<void> => {
  const { lead, breaker, now: at } = inputs
  if (await mayPassLineOn(inputs, refusal)) await passLineOn(lead.owner, !BLOCKS_TYPE.has(refusal.code))
  if (isProbe(inputs) && lead.held_by !== null && isHalfOpen(breaker, at)) await sendProbes(lead.held_by, breaker, lead.owner)
}

/**
 * Copies a stop that only the phone has to the lead, so that a lift of the stop plans the lead again.
 * @returns whether the lead has it now
 */
const showMissedStop = async (lead: Lead, { gate }: Verdict, pk: string): Promise<boolean> =>
  gate === 'dnc' && !lead.call_dnc && (await catchUpWithStops(lead, pk)).call_dnc

const refuse = async (inputs: GateInputs, refusal: Verdict, pk: string): Promise<Dialled> => {
  const moved = (await showMissedStop(inputs.lead, refusal, pk)) ? 'refused' : await move(inputs, refusal)
  if (moved === 'refused') await passOn(inputs, refusal)
  return moved
}

/** Whether something that is stored about a lead's phone cannot be read. Items that other leads use too do not count. */
const isPhoneUnreadable = async ({ phone_number }: Lead, owner: User): Promise<boolean> => {
  const pk = await phonePk(owner.dnc_group, phone_number)
  const reads = await Promise.allSettled([getPhone(pk), getConsentState(owner.id, phone_number), answersAbout(parsePhonePk(pk).hash)])
  return reads.some((read) => read.status === 'rejected' && v.isValiError(read.reason))
}

/**
 * Holds a lead if its lead type, its agent, or something about its phone cannot be read. On the list, it would be sent again and again, instead
 * of the leads behind it. The sweep looks at it again.
 */
const holdUnreadable = async (lead: Lead, error: unknown): Promise<Dialled> => {
  const { id, lead_type } = lead
  const owner = v.isValiError(error) ? await getUser(lead.owner) : undefined
  if (!owner) throw error
  const isOfType = lead_type !== null && (await typeState(owner.id, lead_type, now())) === 'unreadable'
  if (!isOfType) {
    if (!(await isPhoneUnreadable(lead, owner))) throw error
    logger.error('A lead is not called, because something about its phone cannot be read. Find it with: npm run ops -- check', {
      lead: id,
      error: loggable(error),
    })
  }
  await markUnreadable(id)
  const held_by = isOfType ? leadTypeHolder(lead_type) : leadHolder(id)
  const held: Lead = { ...lead, due_list: 'HELD', held_by, version: lead.version + 1, cause: 'schedule' }
  if (!isSamePlan(lead, held) && !(await saveLead(held))) return 'raced'
  if (await isAnyCallable(owner.id, now())) await passLineOn(owner.id, !isOfType)
  return 'refused'
}

const commit = async (inputs: GateInputs, verdicts: readonly Verdict[], pk: string): Promise<Dialled> => {
  const { lead, owner, phone, leadType, lines, seenLines } = inputs
  const id = callId(lead.id, lead.attempts + 1)
  const agent = leadType?.agent ?? ''
  // Cached: the gates have just read the agent.
  const platform = (await getAgent(agent))?.platform
  const call = intendedCall(inputs, verdicts, { callId: id, phonePk: pk, agent, platform })
  // When the agent's pause is over, only one call becomes the probe. The others read again and find the next pause.
  if (isHalfOpen(inputs.breaker, inputs.now) && !(await claimProbe(call.agent, id, inputs.now))) return 'raced'
  if (!(await addGroups(owner, lines, seenLines.group))) return 'raced'
  const next = whileDialling(lead, id, inputs.now)
  const result = await transact([
    takePhone(pk, phone, id, [...recentAttempts(phone.attempts, inputs.now), inputs.now]),
    takeLine(owner.id, id, { ...seenLines, fence: lines.fence }),
    replaceLead(next),
    insertCall(call),
  ])
  if (result.committed) return { call, lead: next }
  if (!isBehindCalls(result, { lead: 2, call: 3 })) return 'raced'
  await quarantineLead(
    lead.id,
    `Call ${id} exists, but its lead does not count it. Run: npm run ops -- repair lead-behind-calls ${lead.id}`,
  )
  await passLineOn(lead.owner)
  return 'refused'
}

const tryDial = async (lead: Lead, group?: number): Promise<Dialled> => {
  const owner = await getUser(lead.owner)
  if (!owner) {
    await quarantineLead(lead.id, `There is no user ${lead.owner}.`)
    return 'refused'
  }
  const pk = await phonePk(owner.dnc_group, lead.phone_number)
  const gathered = await readGateInputs(lead, owner, pk, (limited, lines) => seeLines(limited, lines, group), {
    mayBeOld: true,
  })
  const inputs = { ...gathered, breaker: forCall(gathered.breaker, callId(lead.id, lead.attempts + 1)) }
  const verdicts = judge(inputs)
  const refusal = firstRefusal(verdicts)
  return refusal ? refuse(inputs, refusal, pk) : commit(inputs, verdicts, pk)
}

/**
 * Writes the intent of a lead's next call if every gate passes at this instant. One transaction covers phone, lines, lead and call. It
 * commits only if phone and lead are unchanged since the gates read them. A line must also be free, and no pause may apply. A refusal
 * moves the next call instead.
 * @param group the group of lines that had a free one a moment ago
 */
export const dial = async (lead: Lead, group?: number): Promise<Dialled> => {
  try {
    return await tryDial(lead, group)
  } catch (error) {
    return holdUnreadable(lead, error)
  }
}
