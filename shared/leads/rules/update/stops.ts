import { CHANNELS, type Channel, type Phone } from '../../../stops/compliance.ts'
import type { UpdateLead } from '../../api/lead-request.ts'
import type { Lead } from '../../lead.ts'
import { isSetSince } from '../field-times.ts'
import { isCallable } from '../status.ts'
import { type Acceptance, unappliedPart } from './update.ts'

/** Whether an update sets anything. */
export const setsAnything = (patch: UpdateLead): boolean => Object.values(patch).some((value) => value !== undefined)

/**
 * Splits an update into the part that stops contact and the rest. The first part is a status in which a lead is not called, with its
 * detail, and raised "do not contact" flags. When the phone number changes, the flags are in both parts: they apply to the new phone too.
 */
export const splitStops = (patch: UpdateLead): { readonly stops: UpdateLead; readonly rest: UpdateLead } => {
  const { status, status_detail, call_dnc, sms_dnc, phone_number } = patch
  const ends = status !== undefined && !isCallable(status)
  const stays = phone_number === undefined
  return {
    stops: {
      ...(ends && { status, status_detail }),
      ...(call_dnc && { call_dnc }),
      ...(sms_dnc && { sms_dnc }),
    },
    rest: {
      ...patch,
      ...(ends && { status: undefined, status_detail: undefined }),
      ...(call_dnc && stays && { call_dnc: undefined }),
      ...(sms_dnc && stays && { sms_dnc: undefined }),
    },
  }
}

interface LiftInputs extends Acceptance {
  /** The lead's phone. */
  readonly phone: Phone
  /** The phone's item as the update first read it, before other writes. */
  readonly firstSeen: Phone
}

/** The effect of a lead's update on the stops of its phone. */
interface Lifts {
  /** Flags that the update lifts from the lead and from the phone. */
  readonly lifted: readonly Channel[]
  /** Flags that stay although the update sets them to false. */
  readonly refused: readonly Channel[]
}

const asksToLift = (lead: Lead, patch: UpdateLead, { phone, ...acceptance }: LiftInputs): Channel[] => {
  const rest = unappliedPart(lead, patch, acceptance)
  if (rest.phone_number !== undefined && rest.phone_number !== lead.phone_number) return []
  return CHANNELS.filter((channel) => rest[`${channel}_dnc`] === false && (lead[`${channel}_dnc`] || phone[`${channel}_dnc`]))
}

/**
 * Whether a flag was raised after the update. An immediate update loses to a flag that is raised while it runs. A delayed update loses to a
 * flag that was accepted after it. A delayed update also lifts nothing from a phone that the lead got after the update was accepted.
 */
const isNewer = (lead: Lead, channel: Channel, { phone, firstSeen, accepted, atOnce = false }: LiftInputs): boolean => {
  const raised = phone[`${channel}_stopped`] ?? ''
  if (atOnce) return raised > accepted || raised !== (firstSeen[`${channel}_stopped`] ?? '')
  return raised >= accepted || isSetSince(lead, 'phone_number', accepted)
}

/**
 * Decides which of the flags that an update sets to false are lifted. An entry on the group's list stays, and so does a flag that was
 * raised after the update. All others are lifted from the phone too, so that the lead can be contacted again.
 */
export const liftsOf = (lead: Lead, patch: UpdateLead, inputs: LiftInputs): Lifts => {
  const mustStay = (channel: Channel): boolean => inputs.phone[`${channel}_listed`] || isNewer(lead, channel, inputs)
  const { lifted = [], refused = [] } = Object.groupBy(asksToLift(lead, patch, inputs), (channel) =>
    mustStay(channel) ? 'refused' : 'lifted',
  )
  return { lifted, refused }
}

/** The update without the flags that it cannot lift. */
export const withoutRefusedLifts = (patch: UpdateLead, { refused }: Lifts): UpdateLead => ({
  ...patch,
  ...(refused.includes('call') && { call_dnc: undefined }),
  ...(refused.includes('sms') && { sms_dnc: undefined }),
})

/** The phone after the lift. */
export const liftedPhone = (phone: Phone, { lifted }: Lifts): Phone => ({
  ...phone,
  call_dnc: phone.call_dnc && !lifted.includes('call'),
  sms_dnc: phone.sms_dnc && !lifted.includes('sms'),
})
