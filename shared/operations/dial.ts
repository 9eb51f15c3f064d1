import { now } from '../adapters/clock.ts'
import { setting } from '../adapters/environment.ts'
import { firstRefusal, judge } from '../domain/calling/gates.ts'
import { dialled, intendedCall, recentAttempts } from '../domain/calling/intent.ts'
import { afterRefusal } from '../domain/calling/refusal.ts'
import type { Facts, Verdict } from '../domain/calling/verdict.ts'
import type { Call } from '../schema/call.ts'
import type { User } from '../schema/configuration.ts'
import type { Lead } from '../schema/lead.ts'
import type { Instant } from '../schema/values.ts'
import { insertCall } from '../storage/calls.ts'
import { markWaiting } from '../storage/due.ts'
import { callId } from '../storage/keys.ts'
import { getLeadType } from '../storage/lead-types.ts'
import { replaceLead, saveLead } from '../storage/leads.ts'
import { getLines, takeLine } from '../storage/lines.ts'
import { getPhone, phonePk, takePhone } from '../storage/phones.ts'
import { transact } from '../storage/transactions.ts'
import { getUser } from '../storage/users.ts'
import { dispatchSoon } from './dispatch.ts'
import { startWaiting } from './waiting.ts'

/** `raced`: something changed between reading and writing; everything is to be read again. */
export type Dialled = { readonly call: Call; readonly lead: Lead } | 'refused' | 'raced'

const gather = async (lead: Lead, owner: User, pk: string): Promise<Facts> => {
  const [phone, lines, leadType] = await Promise.all([
    getPhone(pk),
    getLines(owner.id),
    lead.lead_type === null ? undefined : getLeadType(owner.id, lead.lead_type),
  ])
  return { now: now(), lead, owner, leadType, phone, lines, defaultTimezone: setting('DEFAULT_TIMEZONE') }
}

const isSame = (lead: Lead, next: Pick<Lead, 'next_call_time' | 'due_list'>): boolean =>
  lead.next_call_time === next.next_call_time && lead.due_list === next.due_list

/** The mark comes before the list, so that no sweep can miss a lead that waits; then another look at the lines. */
const wait = async (lead: Lead, moved: Lead, at: Instant): Promise<Dialled> => {
  await markWaiting(lead.owner, at)
  if (!isSame(lead, moved) && !(await saveLead(moved))) return 'raced'
  await startWaiting(lead.owner)
  return 'refused'
}

const refuse = async ({ lead, now: at, defaultTimezone }: Facts, refusal: Verdict): Promise<Dialled> => {
  const next = afterRefusal(lead, refusal, at, defaultTimezone)
  if (!next) {
    await dispatchSoon(lead, at)
    return 'refused'
  }
  const moved: Lead = { ...lead, ...next, version: lead.version + 1, cause: 'schedule' }
  if (moved.due_list === 'WAIT') return wait(lead, moved, at)
  if (isSame(lead, moved)) return 'refused'
  if (!(await saveLead(moved))) return 'raced'
  await dispatchSoon(moved, at)
  return 'refused'
}

const commit = async (facts: Facts, verdicts: readonly Verdict[], pk: string): Promise<Dialled> => {
  const { lead, owner, phone, leadType } = facts
  const id = callId(lead.id, lead.attempts + 1)
  const call = intendedCall(facts, verdicts, { callId: id, phonePk: pk, agent: leadType?.agent ?? '' })
  const next = dialled(lead, id, facts.now)
  const { committed } = await transact([
    takePhone(pk, phone, id, [...recentAttempts(phone.attempts, facts.now), facts.now]),
    takeLine(owner.id, id, owner.lines),
    replaceLead(next),
    insertCall(call),
  ])
  return committed ? { call, lead: next } : 'raced'
}

/**
 * Writes the intent of a lead's next call if every gate passes at this instant: phone, lines, lead and call in one transaction
 * that holds only while all of them are as they were when the gates looked. A refusal moves the next call instead.
 */
export const dial = async (lead: Lead): Promise<Dialled> => {
  const owner = await getUser(lead.owner)
  if (!owner) return 'refused'
  const pk = await phonePk(owner.dnc_group, lead.phone_number)
  const facts = await gather(lead, owner, pk)
  const verdicts = judge(facts)
  const refusal = firstRefusal(verdicts)
  return refusal ? refuse(facts, refusal) : commit(facts, verdicts, pk)
}
