export type CallbackType =
  | 'call.answered'
  | 'call.data_collected'
  | 'call.transfer_initiated'
  | 'call.transfer_connected'
  | 'call.transfer_ended'
  | 'call.ended'
  | 'call.completed'
  | 'sms.completed'
  | 'dnc.requested'

/** Inputs for a callback's data. `serviceTime` is the dial's instant by the service's clock, in epoch milliseconds. */
interface DialDetails {
  readonly serviceTime: number
  readonly destination: string
  /** Whether an appointment was booked in the service's calendar; undefined without a booking. */
  readonly isBooked: boolean | undefined
}

type DataOf = (dial: DialDetails) => Record<string, unknown>

/** One callback of a call. `at`: milliseconds after the dial at speed 1. A call has at most one of each type. */
export interface CallStep {
  readonly at: number
  readonly type: CallbackType
  readonly data: DataOf
}

interface ConversationDetails {
  /** Data of `call.completed` beside outcome, summary and collected fields. */
  readonly more: DataOf
  /** Callbacks between the collected data and the end. */
  readonly between: readonly CallStep[]
  readonly endsAt: number
  readonly isContact: boolean
}

const HOUR_MS = 3_600_000
const ANSWERED_AT = 300
const COLLECTED = { interested_in: 'home insurance', is_homeowner: true }

const nothing: DataOf = () => ({})

const step = (at: number, type: CallbackType, data = nothing): CallStep => ({ at, type, data })

/** The call ends at `at`; its outcome follows 100 ms later. */
const end = (at: number, seconds: number, outcome: string, more: DataOf): readonly CallStep[] => [
  step(at, 'call.ended', () => ({ duration_seconds: seconds })),
  step(at + 100, 'call.completed', (dial) => ({
    outcome,
    summary: `The simulated agent reported: ${outcome.replaceAll('_', ' ')}.`,
    ...more(dial),
  })),
]

/** No person spoke: no answer, busy, a machine, a cancelled dial. */
export const unanswered = (outcome: string, endsAt = 500, more: Record<string, unknown> = {}): readonly CallStep[] =>
  end(endsAt, 0, outcome, () => ({ is_contact: false, collected: {}, ...more }))

export const conversation = (outcome: string, details: Partial<ConversationDetails> = {}): readonly CallStep[] => {
  const { more = nothing, between = [], endsAt = 1500, isContact = true } = details
  const seconds = Math.round((endsAt - ANSWERED_AT) / 1000)
  return [
    step(ANSWERED_AT, 'call.answered'),
    step(600, 'call.data_collected', () => ({ collected: COLLECTED })),
    ...between,
    ...end(endsAt, seconds, outcome, (dial) => ({ is_contact: isContact, collected: COLLECTED, ...more(dial) })),
  ]
}

export const warmTransfer = (endsAt = 1500): readonly CallStep[] => {
  const between = [
    step(900, 'call.transfer_initiated', ({ destination }) => ({ mode: 'warm', destination })),
    step(1200, 'call.transfer_connected'),
  ]
  return conversation('transferred_warm', { endsAt, between })
}

/** Hands the call over without asking whether somebody is there. */
export const handedOver = (outcome: string, mode: string): readonly CallStep[] =>
  conversation(outcome, { between: [step(900, 'call.transfer_initiated', ({ destination }) => ({ mode, destination }))] })

export const transferUnavailable = (): readonly CallStep[] => {
  const between = [
    step(900, 'call.transfer_initiated', ({ destination }) => ({ mode: 'warm', destination })),
    step(1200, 'call.transfer_ended', () => ({ reason: 'no_answer' })),
  ]
  return conversation('transfer_unavailable', { between })
}

/** A conversation with a text message beside it. `inbound`: the person sends it. */
export const texted = (outcome: string, direction: 'inbound' | 'outbound', body: string): readonly CallStep[] =>
  conversation(outcome, {
    between: [step(900, 'sms.completed', () => ({ direction, body, status: direction === 'inbound' ? 'received' : 'delivered' }))],
  })

export const callbackRequested = (): readonly CallStep[] =>
  conversation('callback_requested', {
    more: ({ serviceTime }) => ({ callback_time: new Date(serviceTime + 2 * HOUR_MS).toISOString() }),
  })

export const APPOINTMENT = { duration_minutes: 30, title: 'Consultation' }

/** The service already knows an appointment in its calendar. Without a calendar, the agent reports the appointment. */
export const appointmentBooked = (): readonly CallStep[] =>
  conversation('appointment_booked', {
    more: ({ serviceTime, isBooked }) => {
      if (isBooked === undefined) {
        return { appointment: { start_time: new Date(serviceTime + 48 * HOUR_MS).toISOString(), ...APPOINTMENT } }
      }
      return isBooked ? {} : { outcome: 'completed', summary: 'No appointment could be booked.' }
    },
  })

export const doNotCall = (): readonly CallStep[] =>
  conversation('do_not_call', { between: [step(900, 'dnc.requested', () => ({ channel: 'call' }))] })
