import { createHash } from 'node:crypto'
import { appointmentBooked, callbackRequested, conversation, doNotCall, type Step, unanswered, warmTransfer } from './steps.ts'

/** How the agent treats calls to a phone. */
export interface Behaviour {
  readonly name: string
  /** Only `error` leaves the phone undialled; `never` dials and keeps the request open. */
  readonly reply: 'accept' | 'error' | 'never'
  readonly steps: readonly Step[]
  /** Every callback twice, out of order, after the call's end. */
  readonly scrambled: boolean
  /** Milliseconds at speed 1 for which a dial keeps its line. */
  readonly busyFor: number
}

/** A line of which nothing more is heard counts as in use for this long. */
const SILENT_LINE_MS = 60_000

const following = (name: string, steps: readonly Step[], scrambled = false): Behaviour => ({
  name,
  reply: 'accept',
  steps,
  scrambled,
  busyFor: steps.find((step) => step.type === 'call.ended')?.at ?? SILENT_LINE_MS,
})

const NEVER_CALLS_BACK = following('never_calls_back', [])

/** By the last four digits of the phone number. */
const BY_LAST_DIGITS: ReadonlyMap<string, Behaviour> = new Map([
  ['0001', following('transferred_warm', warmTransfer())],
  ['0002', following('no_answer', unanswered('no_answer'))],
  ['0003', following('voicemail', unanswered('voicemail', 1500, { message_left: true }))],
  ['0004', following('callback_requested', callbackRequested())],
  ['0005', following('appointment_booked', appointmentBooked())],
  ['0006', following('not_interested', conversation('not_interested'))],
  ['0007', following('do_not_call', doNotCall())],
  ['0008', following('wrong_number', conversation('wrong_number', { isContact: false }))],
  ['0009', { name: 'answers_500', reply: 'error', steps: [], scrambled: false, busyFor: 0 }],
  ['0010', { name: 'never_answers', reply: 'never', steps: [], scrambled: false, busyFor: SILENT_LINE_MS }],
  ['0011', NEVER_CALLS_BACK],
  ['0012', following('twice_and_out_of_order', conversation('completed'), true)],
  ['0013', following('long_transfer', warmTransfer(21_200))],
])

/** Everyone else: the share of each is the same. */
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

/** What a call becomes that was cancelled before anybody answered. */
export const CANCELLED_STEPS = unanswered('failed', 0)

export const behaviourOf = (phone: string): Behaviour => {
  const hash = createHash('sha256').update(phone).digest().readUInt32BE(0)
  return BY_LAST_DIGITS.get(phone.slice(-4)) ?? MIX[hash % MIX.length] ?? NEVER_CALLS_BACK
}
