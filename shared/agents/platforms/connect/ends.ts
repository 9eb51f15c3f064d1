import type { CallEnd } from '../open-report.ts'

/** The data of Amazon Connect about a call that is over. */
export interface ConnectEnding {
  /** Why the contact ended. Few contact events have a reason; the contact's record always has one. */
  readonly reason: string | null
  /** The verdict of the answering machine detection. */
  readonly machine: string | null
  readonly isConnected: boolean
  readonly isQueued: boolean
  readonly isWithAgent: boolean
}

/** Detection counts a call as connected even if only tones were heard. */
const BY_MACHINE: ReadonlyMap<string, CallEnd | null> = new Map([
  ['VOICEMAIL_BEEP', 'voicemail'],
  ['VOICEMAIL_NO_BEEP', 'voicemail'],
  ['FAX_MACHINE_DETECTED', 'voicemail'],
  ['AMD_UNANSWERED', 'no_answer'],
  ['SIT_TONE_BUSY', 'busy'],
  ['SIT_TONE_INVALID_NUMBER', 'disconnected'],
  ['SIT_TONE_DETECTED', 'failed'],
  ['AMD_NOT_APPLICABLE', null],
  ['HUMAN_ANSWERED', null],
  ['ANSWERED', null],
  ['UNDETECTED', null],
  ['ERROR', null],
  ['AMD_ERROR', null],
  ['AMD_UNRESOLVED', null],
  ['AMD_UNRESOLVED_SILENCE', null],
])

const UNCONNECTED: ReadonlyMap<string, CallEnd> = new Map([
  ['TELECOM_UNANSWERED', 'no_answer'],
  ['TELECOM_TIMEOUT', 'no_answer'],
  ['TELECOM_ORIGINATOR_CANCEL', 'no_answer'],
  ['TELECOM_BUSY', 'busy'],
  ['TELECOM_NUMBER_INVALID', 'disconnected'],
  ['TELECOM_PROBLEM', 'failed'],
  ['TELECOM_POTENTIAL_BLOCKING', 'failed'],
  ['OUTBOUND_DESTINATION_ENDPOINT_ERROR', 'failed'],
  ['OUTBOUND_RESOURCE_ERROR', 'failed'],
  ['OUTBOUND_ATTEMPT_FAILED', 'failed'],
  ['OUTBUND_PREVIEW_DISCARDED', 'failed'],
  ['CUSTOMER_NEVER_ARRIVED', 'failed'],
  ['EXPIRED', 'failed'],
])

const CONNECTED: ReadonlyMap<string, CallEnd> = new Map([
  ['CUSTOMER_DISCONNECT', 'hung_up'],
  ['AGENT_DISCONNECT', 'completed'],
  ['THIRD_PARTY_DISCONNECT', 'completed'],
  ['CONTACT_FLOW_DISCONNECT', 'completed'],
  ['BARGED', 'completed'],
  // Also the reason after a request to stop the contact.
  ['OTHER', 'completed'],
])

/** Whether a call counts as not connected, because detection heard only a tone of the network. */
export const isToneOnly = (machine: string | null): boolean => {
  const end = BY_MACHINE.get(machine ?? '')
  return (end && end !== 'voicemail') || machine === 'AMD_NOT_APPLICABLE'
}

const endOfUnconnected = (reason: string | null): CallEnd | undefined => {
  if (reason === 'OTHER') return 'cancelled'
  return UNCONNECTED.get(reason ?? '') ?? (CONNECTED.has(reason ?? '') ? 'unknown' : undefined)
}

const endOfConnected = ({ reason, isQueued, isWithAgent }: ConnectEnding): CallEnd | undefined => {
  if (isWithAgent) return 'transferred_warm'
  if (isQueued) return 'transfer_unavailable'
  return CONNECTED.get(reason ?? '') ?? (UNCONNECTED.has(reason ?? '') ? 'unknown' : undefined)
}

/** How a call ended; undefined when the reason is missing or new. */
export const connectEnd = (ending: ConnectEnding): CallEnd | undefined =>
  BY_MACHINE.get(ending.machine ?? '') ??
  (ending.isConnected && !isToneOnly(ending.machine) ? endOfConnected(ending) : endOfUnconnected(ending.reason))

/** A reason or detection result of Amazon Connect that this adapter does not know. */
export const unknownEnding = ({ reason, machine }: ConnectEnding): string | undefined => {
  if (reason !== null && !UNCONNECTED.has(reason) && !CONNECTED.has(reason)) return `disconnectReason ${reason}`
  return machine !== null && !BY_MACHINE.has(machine) ? `answeringMachineDetectionStatus ${machine}` : undefined
}
