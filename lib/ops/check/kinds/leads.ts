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
  about: 'A lead that is not to be called – by its status, a stop, or for want of a lead type – has a next call, which clients are shown.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead || !isCalledInVain(lead)) return undefined
    const { id, status, call_dnc, version } = lead
    const why = isCallable(status) ? (call_dnc ? 'under "do not call"' : 'without a lead type') : status
    return {
      message: `Lead ${id} is ${why} and has a next call all the same: clients are shown a call that no gate lets pass.`,
      remedy: 'take the next call away',
      mend: () => saveLead({ ...lead, ...NO_NEXT_CALL, version: version + 1, cause: 'schedule' }),
    }
  },
}

/** Whether a lead has a next call but is in no due list. */
export const isOnNoList = (lead: Lead): boolean => lead.next_call_time !== null && lead.due_list === null && !isCalledInVain(lead)

const onNoList: DamageKind = {
  kind: 'lead-on-no-list',
  at: 'LEAD',
  about: 'A lead has a next call, which clients are shown, and says of no list that it stands there: nobody ever calls it.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead || !isOnNoList(lead)) return undefined
    return {
      message: `Lead ${lead.id} has a next call and says of no list that it stands there: it is never called.`,
      remedy: 'list it as due',
      mend: () => saveLead({ ...lead, due_list: 'CALL', held_by: null, version: lead.version + 1, cause: 'schedule' }),
    }
  },
}

const untold = (lead: Lead, phone: Phone): string[] =>
  CHANNELS.filter((channel) => {
    const since = [phone[`${channel}_stopped`] ?? '', phone[`${channel}_lifted`] ?? ''].toSorted().at(-1) ?? ''
    return phone[`${channel}_dnc`] && !lead[`${channel}_dnc`] && !((lead.field_times[`${channel}_dnc`] ?? '') > since)
  })

const stopNotShown: DamageKind = {
  kind: 'stop-not-shown',
  at: 'LEAD',
  about: 'A phone is under "do not contact" and a lead with it does not show that: it is not called, but its owner does not know.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    const user = lead && (await readUser(lead.owner))
    if (!lead || !user) return undefined
    const pk = await phonePk(user.dnc_group, lead.phone_number)
    const channels = untold(lead, await getPhone(pk))
    if (channels.length === 0) return undefined
    const flags = channels.map((channel) => `${channel}_dnc`).join(' and ')
    return {
      message: `Lead ${lead.id} does not show ${flags} of its phone: it is not contacted, but its owner is not told, and got no event.`,
      remedy: `raise ${flags} on it`,
      mend: async () => (await catchUpWithStops(lead, pk)) !== lead,
    }
  },
}

/** Milliseconds. Timers are kept for a month after they are done. An older promise may have lost its timer rightly. */
const REMEMBERED = 29 * DAY

const promiseNotWatched: DamageKind = {
  kind: 'promise-not-watched',
  at: 'LEAD',
  about: 'A lead was promised a call and no timer knows: no LEAD_LATE_CALLBACK is sent when the call is late.',
  look: async (where) => {
    const lead = await getLead(idIn(where))
    if (!lead || lead.promised_time === null || lead.promised_time < now() - REMEMBERED) return undefined
    if (await getCallbackTimer(lead.id, lead.promised_time)) return undefined
    // The call that made the promise sets the timer before it is settled. Until then nothing is wrong.
    const last = await getCall(callId(lead.id, lead.attempts))
    if (last && last.settled_time === null) return undefined
    return {
      message: `Lead ${lead.id} was promised a call and has no timer for it: no LEAD_LATE_CALLBACK is sent when that call is late.`,
      remedy: 'set the timer',
      mend: async () => {
        await watchPromise(lead)
        return true
      },
    }
  },
}

export const leads: readonly DamageKind[] = [calledInVain, onNoList, stopNotShown, promiseNotWatched]
