import type { Requester } from '../accounts/requester.ts'
import { knownUser } from '../accounts/user-store.ts'
import { nextSequence } from '../platform/sequence.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Channel, Phone } from './compliance.ts'
import { raiseDnc } from './flag-store.ts'
import { getPhone, phonePk } from './phone-store.ts'
import { showStop } from './stop.ts'
import { stopHistory } from './stop-history.ts'
import type { PastStop, StopOrigin } from './stop-record.ts'

/** A phone number's flags on a group's list. Stops that were only set on leads are not on it. */
export interface ListEntry {
  readonly phone_number: string
  readonly call_dnc: boolean
  readonly sms_dnc: boolean
}

const entryOf = (phone_number: string, { call_listed, sms_listed }: Pick<Phone, 'call_listed' | 'sms_listed'>): ListEntry => ({
  phone_number,
  call_dnc: call_listed,
  sms_dnc: sms_listed,
})

const phoneOf = async (owner: number, phoneNumber: string): Promise<string> => phonePk((await knownUser(owner)).dnc_group, phoneNumber)

interface LookedUp extends ListEntry {
  /** All flags of the phone in the group, whether from the list or from a lead. */
  readonly effective: Pick<ListEntry, 'call_dnc' | 'sms_dnc'>
}

/** A phone number's flags on the list of the user's group, and all of its flags in the group. */
export const lookUpOnList = async (owner: number, phoneNumber: string): Promise<LookedUp> => {
  const phone = await getPhone(await phoneOf(owner, phoneNumber))
  return { ...entryOf(phoneNumber, phone), effective: { call_dnc: phone.call_dnc, sms_dnc: phone.sms_dnc } }
}

/** Most stops and lifts of a phone number that a client sees. */
const MOST_PAST = 100

/** The latest stops and lifts of a phone number in the user's group, the latest first. */
export const pastStops = async (owner: number, phoneNumber: string): Promise<PastStop[]> =>
  stopHistory(await phoneOf(owner, phoneNumber), MOST_PAST)

/**
 * Enters a phone number on the list of the user's group. Then raises the flags of its leads, for all users of the group. After the first
 * write, no call to the phone can begin. No update of a lead lifts the entry. Flags are only raised. Safe to repeat.
 * @param revoked time of the revocation of consent to calls. Absent: the entry is no revocation
 * @returns the entry as it is now, and whether all requested flags were on the list before
 */
export const enterOnList = async (
  { id: owner, staff = owner }: Requester,
  phoneNumber: string,
  channels: readonly Channel[],
  origin: StopOrigin = { means: 'list' },
  revoked?: Instant,
): Promise<{ readonly entry: ListEntry; readonly wasListed: boolean }> => {
  const pk = await phoneOf(owner, phoneNumber)
  const accepted = nextSequence()
  const before = await raiseDnc(pk, channels, { accepted, owner, origin: { received_by: staff, ...origin }, listed: true, revoked })
  await showStop(owner, phoneNumber, pk, { channels, accepted, before })
  const after = {
    call_listed: before.call_listed || channels.includes('call'),
    sms_listed: before.sms_listed || channels.includes('sms'),
  }
  return { entry: entryOf(phoneNumber, after), wasListed: channels.every((channel) => before[`${channel}_listed`]) }
}
