import { MINUTE } from '../../../platform/values/durations.ts'
import { formatInstant } from '../../../platform/values/time.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Call } from '../../call.ts'
import { silentFrom } from '../silence.ts'

/** A call that a phone or a lead waits for. */
export interface Awaited {
  readonly call: Call
  /** Without a further report, the service waits until this instant. */
  readonly until: Instant
}

/** The sweep looks at silent calls every minute. */
const SWEPT_EVERY = MINUTE

export const awaitedCall = (call: Call, now: Instant): Awaited => ({ call, until: Math.max(silentFrom(call), now + SWEPT_EVERY) })

const hasOutcome = ({ completed_time, refused_time }: Call): boolean => completed_time !== null || refused_time !== null

/** The call whose outcome decides when its lead is called next; undefined when the lead waits for none. */
export const outcomeAwaited = (lead: { readonly current_call: string | null }, awaited: readonly Awaited[]): Awaited | undefined =>
  awaited.find(({ call }) => call.call_id === lead.current_call && call.unknown_time === null && !hasOutcome(call))

export const heldPhoneText = ({ call, until }: Awaited): string =>
  call.unknown_time === null
    ? `Call ${call.call_id} to this phone is in progress. Without a further report, the phone is free from ${formatInstant(until)}.`
    : `It is not known how call ${call.call_id} to this phone went. The phone may still be in use, so it is held until ${formatInstant(until)}.`

export const awaitedOutcomeText = ({ call, until }: Awaited): string => {
  const state = call.ended_time === null ? 'is in progress' : `was over at ${formatInstant(call.ended_time)}`
  const end = formatInstant(until)
  const then =
    call.presumed_outcome === null ? `the call counts as unknown at ${end}` : `its outcome is ${call.presumed_outcome} from ${end}`
  return `The lead waits for the outcome of call ${call.call_id}, which ${state}. Without a further report, ${then}, and then the next call is planned.`
}
