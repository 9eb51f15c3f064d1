import { readUser } from '#shared/accounts/user-store.ts'
import { getCallbackTimer, watchPromise } from '#shared/backlog/promises.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { NO_NEXT_CALL } from '#shared/calling/rules/next-call.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import { isCallable } from '#shared/leads/rules/status.ts'
import { now } from '#shared/platform/clock.ts'
import { callId } from '#shared/platform/keys.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { CHANNELS, type Phone } from '#shared/stops/compliance.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { catchUpWithStops } from '#shared/stops/stop.ts'
import { type DamageKind, idIn } from '../kind.ts'

/** Whether a lead has a next call although it must not be called. */
export const isCalledInVain = ({ next_call_time, due_list, status, call_dnc, lead_type }: Lead): boolean =>
  (next_call_time !== null || due_list !== null) && (!isCallable(status) || call_dnc || lead_type === null)

const calledInVain: DamageKind = {
  kind: 'lead-called-in-vain',
  at: 'LEAD',
  about: 'A lead has a next call although its status, a stop or a missing lead type forbids it. Clients see that call.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead || !isCalledInVain(lead)) return undefined
    const { id, status, call_dnc, version } = lead
    const why = isCallable(status) ? (call_dnc ? 'under "do not call"' : 'without a lead type') : status
    return {
      message: `Lead ${id} is ${why} but has a next call. Clients see a call that no gate lets pass.`,
      remedy: 'removing its next call',
      repair: () => saveLead({ ...lead, ...NO_NEXT_CALL, version: version + 1, cause: 'schedule' }),
    }
  },
}

/** Whether a lead has a next call but is in no due list. */
export const isOnNoList = (lead: Lead): boolean => lead.next_call_time !== null && lead.due_list === null && !isCalledInVain(lead)

const onNoList: DamageKind = {
  kind: 'lead-on-no-list',
  at: 'LEAD',
  about: 'A lead has a next call, which clients see, but is assigned to no list of the due index. Nobody ever calls it.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead || !isOnNoList(lead)) return undefined
    return {
      message: `Lead ${lead.id} has a next call but is assigned to no list of the due index. It is never called.`,
      remedy: 'adding it to the due index',
      repair: () => saveLead({ ...lead, due_list: 'CALL', held_by: null, version: lead.version + 1, cause: 'schedule' }),
    }
  },
}

const channelsNotShown = (lead: Lead, phone: Phone): string[] =>
  CHANNELS.filter((channel) => {
    const since = [phone[`${channel}_stopped`] ?? '', phone[`${channel}_lifted`] ?? ''].toSorted().at(-1) ?? ''
    return phone[`${channel}_dnc`] && !lead[`${channel}_dnc`] && !((lead.field_times[`${channel}_dnc`] ?? '') > since)
  })

const stopNotShown: DamageKind = {
  kind: 'stop-not-shown',
  at: 'LEAD',
  about:
    'A phone is under "do not contact", but a lead with that phone does not show it. The lead is not called, and its owner cannot see why.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    const user = lead && (await readUser(lead.owner))
    if (!lead || !user) return undefined
    const pk = await phonePk(user.dnc_group, lead.phone_number)
    const channels = channelsNotShown(lead, await getPhone(pk))
    if (channels.length === 0) return undefined
    const flags = channels.map((channel) => `${channel}_dnc`).join(' and ')
    return {
      message: `Lead ${lead.id} does not show ${flags} of its phone. It is not contacted, but its owner does not see why and got no event.`,
      remedy: `setting ${flags} on it`,
      repair: async () => (await catchUpWithStops(lead, pk)) !== lead,
    }
  },
}

/** Milliseconds. A timer is deleted a month after it was checked, so an older promise needs none. */
const TIMER_KEPT = 29 * DAY

const promiseNotWatched: DamageKind = {
  kind: 'promise-not-watched',
  at: 'LEAD',
  about: 'A lead was promised a call but has no timer for it. No LEAD_LATE_CALLBACK is sent if the call is late.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead || lead.promised_time === null || lead.promised_time < now() - TIMER_KEPT) return undefined
    if (await getCallbackTimer(lead.id, lead.promised_time)) return undefined
    // The call that made the promise sets the timer before it is settled. Until then nothing is wrong.
    const last = await getCall(callId(lead.id, lead.attempts))
    if (last && last.settled_time === null) return undefined
    return {
      message: `Lead ${lead.id} was promised a call but has no timer for it. No LEAD_LATE_CALLBACK is sent if that call is late.`,
      remedy: 'setting the timer',
      repair: async () => {
        await watchPromise(lead)
        return true
      },
    }
  },
}

export const leads: readonly DamageKind[] = [calledInVain, onNoList, stopNotShown, promiseNotWatched]
