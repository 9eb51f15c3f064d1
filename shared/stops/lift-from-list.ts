import { knownUser } from '../accounts/user-store.ts'
import { getLeads } from '../leads/lead-store.ts'
import { updateLead } from '../leads/update-lead.ts'
import { now } from '../platform/clock.ts'
import { nextSequence } from '../platform/sequence.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { CHANNELS, type Channel, type Phone } from './compliance.ts'
import { liftFromList } from './flag-store.ts'
import { getPhone, phonePk } from './phone-store.ts'
import { leadsOfPhone } from './stop.ts'

const MAX_TRIES = 20

/** The effect of a lift. */
export interface Lift {
  /** Flags to take off the list. */
  readonly listed: readonly Channel[]
  /** Flags that an earlier, interrupted run has lifted. This run lifts them from the leads that the earlier run did not reach. */
  readonly liftedBefore: readonly Channel[]
  /** Leads of the phone, of all users of the group. */
  readonly leads: readonly number[]
}

interface Asked {
  readonly owner: number
  readonly phoneNumber: string
  readonly channels: readonly Channel[]
}

const wasLifted = ({ list_lifts = [], ...phone }: Phone, channel: Channel): boolean =>
  !phone[`${channel}_dnc`] && list_lifts.some(({ channels }) => channels.includes(channel))

/** Whether a stop was raised between two reads of a phone, whatever the clocks say. */
const isRaisedBetween = (first: Phone, second: Phone, channel: Channel): boolean =>
  first[`${channel}_stopped`] !== second[`${channel}_stopped`]

const look = async ({ owner, phoneNumber, channels }: Asked) => {
  const pk = await phonePk((await knownUser(owner)).dnc_group, phoneNumber)
  const phone = await getPhone(pk)
  const listed = channels.filter((channel) => phone[`${channel}_listed`])
  const liftedBefore = channels.filter((channel) => wasLifted(phone, channel))
  return { pk, phone, listed, liftedBefore }
}

/** The effect that a lift would have; writes nothing. */
export const plannedLift = async (asked: Asked): Promise<Lift> => {
  const { pk, listed, liftedBefore } = await look(asked)
  return { listed, liftedBefore, leads: await leadsOfPhone(asked.owner, asked.phoneNumber, pk) }
}

/**
 * Takes a phone off the list of the user's group. Then lifts the flags of its leads, of all users of the group. Stops raised after the
 * lift began stay. Safe to repeat.
 */
export const liftPhone = async (asked: Asked, reason: string): Promise<Lift> => {
  const accepted = nextSequence()
  let first: Phone | undefined
  const { pk, phone, listed, liftedBefore } = await retryRaces(
    { tries: MAX_TRIES, lost: 'The phone changed while it was being lifted from the list,' },
    async () => {
      const found = await look(asked)
      first ??= found.phone
      const begun = first
      const listed = found.listed.filter((channel) => !isRaisedBetween(begun, found.phone, channel))
      if (listed.length === 0) return { ...found, listed }
      const lift = { time: now(), channels: listed, reason }
      return (await liftFromList(found.pk, found.phone, lift, accepted)) ? { ...found, listed } : undefined
    },
  )
  const ids = await leadsOfPhone(asked.owner, asked.phoneNumber, pk)
  const channels = CHANNELS.filter((channel) => listed.includes(channel) || liftedBefore.includes(channel))
  const patch = Object.fromEntries(channels.map((channel) => [`${channel}_dnc`, false]))
  const phonesSeen = new Map([[pk, phone]])
  for (const { id, owner } of (await getLeads(ids, { consistent: true })).values()) {
    if (channels.length > 0)
      await updateLead(owner, id, patch, {
        cause: 'MANUAL',
        accepted,
        atOnce: true,
        phonesSeen,
        origin: { means: 'operator', words: reason },
      })
  }
  return { listed, liftedBefore, leads: ids }
}
