import { createHash } from 'node:crypto'
import {
  appointmentBooked,
  type CallStep,
  callbackRequested,
  conversation,
  doNotCall,
  handedOver,
  texted,
  transferUnavailable,
  unanswered,
  warmTransfer,
} from './steps.ts'

/** How the agent handles calls to a phone. */
export interface Behaviour {
  readonly name: string
  /** `error` and `refuse` do not dial; `never` dials, and leaves the request open. */
  readonly reply: 'accept' | 'error' | 'refuse' | 'never'
  readonly steps: readonly CallStep[]
  /** Sends every callback twice, out of order, after the call's end. */
  readonly scrambled: boolean
  /** Milliseconds at speed 1 that a dial occupies its line. */
  readonly busyFor: number
  /** Whether it books an appointment if the service has a calendar. */
  readonly books?: boolean
}

/** Milliseconds from the dial after which the line of a simulated call is free, although the call never reports its end. */
const SILENT_LINE_MS = 60_000

const following = (name: string, steps: readonly CallStep[], scrambled = false): Behaviour => ({
  name,
  reply: 'accept',
  steps,
  scrambled,
  busyFor: steps.find((step) => step.type === 'call.ended')?.at ?? SILENT_LINE_MS,
})

const undialled = (name: string, reply: 'error' | 'refuse'): Behaviour => ({ name, reply, steps: [], scrambled: false, busyFor: 0 })

const NEVER_CALLS_BACK = following('never_calls_back', [])

/** Behaviours by the last four digits of the phone number. docs/voice-agents.md lists them. */
export const BY_LAST_DIGITS: ReadonlyMap<string, Behaviour> = new Map([
  ['0001', following('transferred_warm', warmTransfer())],
  ['0002', following('no_answer', unanswered('no_answer'))],
  ['0003', following('voicemail', unanswered('voicemail', 1500, { message_left: true }))],
  ['0004', following('callback_requested', callbackRequested())],
  ['0005', { ...following('appointment_booked', appointmentBooked()), books: true }],
  ['0006', following('not_interested', conversation('not_interested'))],
  ['0007', following('do_not_call', doNotCall())],
  ['0008', following('wrong_number', conversation('wrong_number', { isContact: false }))],
  ['0009', undialled('answers_500', 'error')],
  ['0010', { name: 'never_answers', reply: 'never', steps: [], scrambled: false, busyFor: SILENT_LINE_MS }],
  ['0011', NEVER_CALLS_BACK],
  ['0012', following('twice_and_out_of_order', conversation('completed'), true)],
  ['0013', following('long_transfer', warmTransfer(21_200))],
  ['0014', following('transferred_blind', handedOver('transferred_blind', 'blind'))],
  ['0015', following('escalated', handedOver('escalated', 'escalation'))],
  ['0016', following('transfer_unavailable', transferUnavailable())],
  ['0017', following('assigned', conversation('assigned'))],
  ['0018', following('application_link_sent', texted('application_link_sent', 'outbound', 'Apply at https://example.com/apply'))],
  ['0019', following('litigator', conversation('litigator'))],
  ['0020', following('disconnected', unanswered('disconnected'))],
  ['0021', following('out_of_territory', conversation('out_of_territory'))],
  ['0022', following('busy', unanswered('busy'))],
  ['0023', following('failed', unanswered('failed'))],
  ['0024', following('hung_up', conversation('hung_up'))],
  ['0025', following('completed', conversation('completed'))],
  ['0026', following('voicemail_without_message', unanswered('voicemail', 1500, { message_left: false }))],
  ['0027', following('text_stop', texted('completed', 'inbound', 'STOP'))],
  ['0028', following('unheard_of_outcome', conversation('unheard_of'))],
  ['0029', undialled('answers_422', 'refuse')],
  ['0030', following('call_screened', unanswered('call_screened'))],
])

/** Behaviours of all other numbers, in equal shares. */
const MIX: readonly Behaviour[] = [
  following('no_answer', unanswered('no_answer')),
  following('busy', unanswered('busy')),
  following('voicemail', unanswered('voicemail', 1500, { message_left: false })),
  following('not_interested', conversation('not_interested')),
  following('completed', conversation('completed')),
  following('hung_up', conversation('hung_up')),
  following('transferred_warm', warmTransfer()),
  following('appointment_booked', appointmentBooked()),
  following('callback_requested', callbackRequested()),
]

/** The steps of a call that was cancelled before an answer. */
export const CANCELLED_STEPS = unanswered('failed', 0)

export const behaviourOf = (phone: string): Behaviour => {
  const hash = createHash('sha256').update(phone).digest().readUInt32BE(0)
  return BY_LAST_DIGITS.get(phone.slice(-4)) ?? MIX[hash % MIX.length] ?? NEVER_CALLS_BACK
}
