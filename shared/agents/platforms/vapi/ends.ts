import type { CallEnd } from '../open-report.ts'

/** An attempt to hand the person over. */
export interface VapiTransfer {
  readonly mode: string | null
  readonly status: string | null
}

const SIP = 'call.in-progress.error-providerfault-outbound-sip'

/** Vapi's reasons, as it documents them. The prefixes below cover the others. */
const REASONS: readonly (readonly [CallEnd | 'forwarded', readonly string[]])[] = [
  ['no_answer', ['customer-did-not-answer', `${SIP}-408-request-timeout`, `${SIP}-480-temporarily-unavailable`]],
  ['busy', ['customer-busy']],
  ['disconnected', ['twilio-reported-customer-misdialed']],
  [
    'failed',
    [
      ...['call-start-error-neither-assistant-nor-server-set', 'assistant-not-found', 'assistant-not-valid', 'scheduled-call-deleted'],
      ...['twilio-failed-to-connect-call', 'vonage-failed-to-connect-call', 'vonage-rejected'],
      ...['call.in-progress.error-sip-outbound-call-failed-to-connect', `${SIP}-403-forbidden`],
      ...[`${SIP}-407-proxy-authentication-required`, `${SIP}-503-service-unavailable`],
    ],
  ],
  ['voicemail', ['voicemail']],
  ['hung_up', ['customer-ended-call']],
  [
    'completed',
    [
      ...['assistant-ended-call', 'assistant-ended-call-after-message-spoken', 'assistant-ended-call-with-hangup-task'],
      ...['assistant-said-end-call-phrase', 'exceeded-max-duration', 'silence-timed-out', 'vonage-completed', 'vonage-disconnected'],
      ...['call.in-progress.twilio-completed-call', 'call.in-progress.sip-completed-call', 'call.ending.hook-executed-say'],
    ],
  ],
  ['forwarded', ['assistant-forwarded-call', 'call.ending.hook-executed-transfer']],
  [
    'transfer_unavailable',
    [
      ...['call.in-progress.error-transfer-failed', 'call.forwarding.operator-busy', 'call.forwarding.no-answer'],
      ...['customer-ended-call-before-warm-transfer', 'customer-ended-call-after-warm-transfer-attempt'],
      'customer-ended-call-during-transfer',
    ],
  ],
  ['cancelled', ['manually-canceled']],
  [
    'unknown',
    [
      ...['worker-shutdown', 'phone-call-provider-closed-websocket', 'assistant-join-timed-out', 'call-deleted'],
      ...['phone-call-provider-bypass-enabled-but-no-call-received', 'customer-did-not-give-microphone-permission'],
    ],
  ],
]

const ENDS: ReadonlyMap<string, CallEnd | 'forwarded'> = new Map(
  REASONS.flatMap(([end, reasons]) => reasons.map((reason) => [reason, end] as const)),
)

/** In order: the first prefix that fits counts. */
const PREFIXES: readonly (readonly [string, CallEnd])[] = [
  // Nobody's phone rang.
  ['call.start.', 'failed'],
  ['assistant-request-', 'failed'],
  ['call.in-progress.error-warm-transfer-', 'transfer_unavailable'],
  // Vapi failed, or one of its suppliers of models, voices and transcription. The reason does not show how far the conversation had come.
  ['call.in-progress.error-', 'unknown'],
  ['pipeline-', 'unknown'],
  // Inbound calls, which we did not place.
  ['call.ringing.', 'unknown'],
]

/** Reasons of `failed` that blame the account, the assistant or Vapi. No phone rang. */
const ACCOUNT_FAULTS =
  /^(call\.start\.(assistant-version-|error-(subscription|vapifault|enterprise-feature|get-(assistant|phone-number|resources|transport))|error-vapi-number-outbound-daily-limit)|assistant-not-|call-start-error-neither-)/

/** End reasons that show that Vapi refuses every call of this agent's account. Other reasons may concern only one call. */
const WHOLE_FAULTS = /^call\.start\.error-(subscription-|vapi-number-outbound-daily-limit)/

export const isWholeVapiFault = (reason: string): boolean => WHOLE_FAULTS.test(reason)

export const isVapiAccountFault = (reason: string): boolean => ACCOUNT_FAULTS.test(reason)

const UNREACHED = new Set(['no-answer', 'busy', 'voicemail', 'failed', 'cancelled'])

export const isWarm = (mode: string | null | undefined): boolean => mode?.startsWith('warm') ?? false

/** Without a mode, Vapi transfers blindly. */
const transferEnd = (transfer: VapiTransfer | undefined): CallEnd => {
  if (UNREACHED.has(transfer?.status ?? '')) return 'transfer_unavailable'
  return isWarm(transfer?.mode) ? 'transferred_warm' : 'transferred_blind'
}

/** How a call ended; undefined when the reason is new. */
export const vapiEnd = (reason: string, transfers: readonly VapiTransfer[]): CallEnd | undefined => {
  const end = ENDS.get(reason) ?? PREFIXES.find(([prefix]) => reason.startsWith(prefix))?.[1]
  return end === 'forwarded' ? transferEnd(transfers.at(-1)) : end
}
