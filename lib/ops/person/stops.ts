import { readUser } from '#shared/accounts/user-store.ts'
import { callsHolding } from '#shared/calling/rules/calls-holding.ts'
import { mustStay, removePhone } from '#shared/erasure/erasing.ts'
import { now } from '#shared/platform/clock.ts'
import { parsePhoneGroup } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { CHANNELS } from '#shared/stops/compliance.ts'
import { membersOf } from '#shared/stops/dnc-group-store.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { leadsOfPhone } from '#shared/stops/stop.ts'
import { anonymiseStops, stopHistory } from '#shared/stops/stop-history.ts'
import { removeStopRecords, stopItems } from '#shared/stops/stop-record-store.ts'
import type { PersonItem } from './person-items.ts'
import { LOOKS_AT_ONCE, type SoughtPerson } from './sought.ts'

/** A stop that outlives the person's leads, on the DNC group's list under a hash of the number. */
export interface KeptStop {
  readonly dnc_group: string
  readonly call_dnc: boolean
  readonly sms_dnc: boolean
}

const flagsByPhone = async (items: readonly PersonItem[], { phoneNumber }: SoughtPerson) => {
  const leads = items.filter(({ type, fate }) => type === 'lead' && fate === 'person')
  return inLanes(LOOKS_AT_ONCE, leads, async ({ item }) => {
    const user = await readUser(Number(item['owner']))
    return { item, pk: user && (await phonePk(user.dnc_group, phoneNumber)) }
  })
}

/** The person's stops on the phone or on a lead, by DNC group. */
export const stopsOf = async (items: readonly PersonItem[], sought: SoughtPerson): Promise<(KeptStop & { readonly pk: string })[]> => {
  const flags = await flagsByPhone(items, sought)
  const stops = await inLanes(LOOKS_AT_ONCE, sought.phonePks, async (pk) => {
    const phone = await getPhone(pk)
    const raised = (channel: (typeof CHANNELS)[number]): boolean =>
      phone[`${channel}_dnc`] || phone[`${channel}_listed`] || flags.some((lead) => lead.pk === pk && lead.item[`${channel}_dnc`] === true)
    return { pk, dnc_group: parsePhoneGroup(pk), call_dnc: raised('call'), sms_dnc: raised('sms') }
  })
  return stops.filter(({ call_dnc, sms_dnc }) => call_dnc || sms_dnc)
}

/** How a stop of a lead gets on the list when the lead is erased. */
const ON_ERASURE = { means: 'operator', words: 'Kept when the person was erased.' } as const

/** Enters the stops on the groups' lists. No later lead of the number can lift them there. */
export const listStops = async (stops: Awaited<ReturnType<typeof stopsOf>>): Promise<void> => {
  await inLanes(LOOKS_AT_ONCE, stops, async (stop) => {
    const phone = await getPhone(stop.pk)
    const missing = CHANNELS.filter((channel) => stop[`${channel}_dnc`] && !phone[`${channel}_listed`])
    if (missing.length > 0) await raiseDnc(stop.pk, missing, { accepted: nextSequence(), owner: null, origin: ON_ERASURE, listed: true })
  })
}

/** Removes what names the person from the records of their stops. The records stay as long as the phone's item. */
export const anonymiseAllStops = async ({ phonePks, owner }: SoughtPerson): Promise<void> => {
  await inLanes(LOOKS_AT_ONCE, phonePks, (pk) => anonymiseStops(pk, owner))
}

/**
 * Removes the phone items that hold no stop, no call of the last 24 hours, and no lead of any user in the group. An erasure for one user
 * leaves a phone that has records of others.
 */
export const forgetPhones = async ({ phonePks, phoneNumber, owner }: SoughtPerson): Promise<void> => {
  await inLanes(LOOKS_AT_ONCE, phonePks, async (pk) => {
    // First: records of a stop that comes meanwhile must stay.
    const records = await stopItems(pk)
    const phone = await getPhone(pk)
    if (phone.version === 0 || callsHolding(phone).length > 0 || mustStay(phone, now())) return
    const [member = 0] = await membersOf(parsePhoneGroup(pk))
    if ((await leadsOfPhone(member, phoneNumber, pk)).length > 0) return
    if (owner !== undefined && (await stopHistory(pk)).some((stop) => stop.owner !== owner)) return
    if (await removePhone(pk, phone)) await removeStopRecords(records)
  })
}
