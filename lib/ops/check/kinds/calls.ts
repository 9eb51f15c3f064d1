import type { Call } from '#shared/calling/call.ts'
import { getCall, getCalls } from '#shared/calling/call-store.ts'
import { applyOutcome } from '#shared/calling/finish/finish-call.ts'
import { countMissedCalls, missedCalls } from '#shared/calling/finish/missed-calls.ts'
import { groupHolding, releaseLine } from '#shared/calling/line-store.ts'
import { callsHolding } from '#shared/calling/rules/calls-holding.ts'
import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import { phoneKey } from '#shared/platform/keys.ts'
import { getPhone, releasePhone } from '#shared/stops/phone-store.ts'
import { type Damage, type DamageKind, idIn, splitAt, splitAtLast } from '../kind.ts'

/**
 * Phone, line and lead that a call holds until it is settled. The service frees them before it sets `settled_time`. A settled call holds
 * nothing.
 */

const isOver = (call: Call | undefined): boolean => call === undefined || call.settled_time !== null

const fateOf = (call: Call | undefined): string => (call ? 'is over' : 'does not exist')

const phoneHeld: DamageKind = {
  kind: 'phone-held',
  at: 'GROUP/HASH',
  about: 'A call that is over still holds a phone. No lead with that phone is called any more.',
  look: async (where) => {
    const [group, hash] = splitAtLast(where, '1/pIc…')
    const { pk } = phoneKey(group, hash)
    const ids = callsHolding(await getPhone(pk))
    const calls = await getCalls(ids)
    const id = ids.find((holder) => isOver(calls.get(holder)))
    if (id === undefined) return undefined
    const call = calls.get(id)
    const whose = call ? call.phone_number : `with hash ${hash} in DNC group ${group}`
    return {
      message: `Call ${id} ${fateOf(call)} but still holds the phone ${whose}. No lead with that phone is called.`,
      remedy: 'freeing the phone',
      repair: () => releasePhone(pk, id),
    }
  },
}

const lineHeld: DamageKind = {
  kind: 'line-held',
  at: 'OWNER/CALL',
  about: 'A call that is over still holds a line. Its owner has one line less. Without a free line, no lead is called.',
  look: async (where) => {
    const [user, id] = splitAt(where, '1/4711-2')
    const owner = idIn(user)
    // All groups of lines are read only for a call that is over: reads for each call in progress would throttle dials.
    const call = await getCall(id)
    const group = isOver(call) ? await groupHolding(owner, id) : undefined
    if (group === undefined) return undefined
    return {
      message: `Call ${id} ${fateOf(call)} but still holds a line of user ${owner}. The user has one line less for calls.`,
      remedy: 'freeing the line',
      repair: async () => {
        await releaseLine({ owner, call_id: id, line_group: group })
        return true
      },
    }
  },
}

/** Applies the call's outcome to its lead again. Safe to repeat. */
const applyOutcomeAgain = async (call: Call): Promise<boolean> => (await applyOutcome(call))?.current_call !== call.call_id

const leadInEndedCall: DamageKind = {
  kind: 'lead-in-ended-call',
  at: 'LEAD',
  about: 'A lead waits for the outcome of a call that is over. It has no next call and stays in this state forever.',
  look: async (where): Promise<Damage | undefined> => {
    const lead = await getLead(idIn(where))
    if (!lead || lead.current_call === null) return undefined
    const { id, current_call } = lead
    const call = await getCall(current_call)
    if (!isOver(call)) return undefined
    const message = `Lead ${id} waits for the outcome of call ${current_call}, which ${fateOf(call)}. It stays in this state and is not called.`
    if (call) return { message, remedy: 'applying the outcome of that call', repair: () => applyOutcomeAgain(call) }
    return {
      message: `${message} After the repair, schedule its next call: POST /api/leads/${id}/schedule-call/`,
      remedy: 'ending its wait for that call',
      repair: () => saveLead({ ...lead, current_call: null, version: lead.version + 1, cause: 'schedule' }),
    }
  },
}

const leadBehindCalls: DamageKind = {
  kind: 'lead-behind-calls',
  at: 'LEAD',
  about:
    'A lead does not count its latest calls, for example after a restore from a backup. Its next call would repeat an earlier call, so it is never placed.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    const missed = lead && (await missedCalls(lead))
    if (!missed) return undefined
    const [latest] = missed
    return {
      message: `Lead ${lead.id} counts ${lead.attempts} calls but already had call ${latest.call_id}. It is not called any more.`,
      remedy: 'counting its calls and continuing from the latest one',
      repair: () => countMissedCalls(lead, missed),
    }
  },
}

export const calls: readonly DamageKind[] = [phoneHeld, lineHeld, leadBehindCalls, leadInEndedCall]
