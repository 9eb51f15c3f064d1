import type { StartOutboundVoiceContactRequest } from '@aws-sdk/client-connect'
import type { Reply } from './emulator.ts'

/** The documented rules for a request to Amazon Connect to place a call. The emulator refuses everything else. */

type Fields<T> = Record<keyof T, true>

/** The compiler tells when the vendor adds or removes a field. */
const REQUEST: Fields<StartOutboundVoiceContactRequest> = {
  ...{ Name: true, Description: true, References: true, RelatedContactId: true, DestinationPhoneNumber: true, ContactFlowId: true },
  ...{ InstanceId: true, ClientToken: true, SourcePhoneNumber: true, QueueId: true, Attributes: true, CampaignId: true },
  ...{ AnswerMachineDetectionConfig: true, TrafficType: true, OutboundStrategy: true, RingTimeoutInSeconds: true },
}

/** The reasons that the documentation of contact records lists for a call that nobody answered, each with our outcome. */
export const UNANSWERED_ENDS = {
  TELECOM_UNANSWERED: 'no_answer',
  TELECOM_TIMEOUT: 'no_answer',
  TELECOM_ORIGINATOR_CANCEL: 'no_answer',
  TELECOM_BUSY: 'busy',
  TELECOM_NUMBER_INVALID: 'disconnected',
  TELECOM_PROBLEM: 'failed',
  TELECOM_POTENTIAL_BLOCKING: 'failed',
  OUTBOUND_DESTINATION_ENDPOINT_ERROR: 'failed',
  OUTBOUND_RESOURCE_ERROR: 'failed',
  OUTBOUND_ATTEMPT_FAILED: 'failed',
  OUTBUND_PREVIEW_DISCARDED: 'failed',
  CUSTOMER_NEVER_ARRIVED: 'failed',
  EXPIRED: 'failed',
  OTHER: 'failed',
}
/** As `UNANSWERED_ENDS`, for a conversation whose flow reported no outcome. */
export const ANSWERED_ENDS = {
  CUSTOMER_DISCONNECT: 'hung_up',
  AGENT_DISCONNECT: 'completed',
  THIRD_PARTY_DISCONNECT: 'completed',
  CONTACT_FLOW_DISCONNECT: 'completed',
  BARGED: 'completed',
  OTHER: 'completed',
}

/** The set-up of an instance. */
export interface ConnectInstance {
  readonly instanceId: string
  /** By id, as Amazon Connect describes them. */
  readonly flows: Readonly<Record<string, object>>
  readonly numbers: readonly string[]
}

export const connectRefusal = (status: number, type: string, words: string): Reply => ({
  ...{ status, body: { Message: words }, headers: { 'x-amzn-errortype': type } },
})

const sizeOf = (attributes: Readonly<Record<string, string>>): number =>
  Object.entries(attributes).reduce((size, [key, value]) => size + Buffer.byteLength(key) + Buffer.byteLength(value), 0)

/** The rule of the documentation that a request breaks; undefined when nothing is wrong. */
export const connectProblem = (options: ConnectInstance, request: StartOutboundVoiceContactRequest): Reply | undefined => {
  const { InstanceId, ContactFlowId, DestinationPhoneNumber: to = '', SourcePhoneNumber, QueueId, Attributes = {}, TrafficType } = request
  const foreign = Object.keys(request).find((key) => !(key in REQUEST))
  const invalid = (words: string) => connectRefusal(400, 'InvalidParameterException', words)
  if (foreign) return invalid(`Unknown field ${foreign}`)
  if (InstanceId !== options.instanceId) return connectRefusal(404, 'ResourceNotFoundException', 'Instance not found')
  if (!ContactFlowId || !options.flows[ContactFlowId]) return connectRefusal(404, 'ResourceNotFoundException', 'Contact flow not found')
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return invalid('Invalid DestinationPhoneNumber')
  if (!SourcePhoneNumber && !QueueId) return invalid('SourcePhoneNumber or QueueId is required')
  if (SourcePhoneNumber && !options.numbers.includes(SourcePhoneNumber)) return invalid('Invalid SourcePhoneNumber')
  if (to.startsWith('+447')) {
    return connectRefusal(403, 'DestinationNotAllowedException', 'Outbound calls to the destination number are not allowed.')
  }
  if (sizeOf(Attributes) > 32_768 || !Object.keys(Attributes).every((key) => /^[\w-]+$/.test(key))) return invalid('Invalid Attributes')
  const detects = request.AnswerMachineDetectionConfig?.EnableAnswerMachineDetection ?? false
  return detects === (TrafficType === 'CAMPAIGN') ? undefined : invalid('Invalid TrafficType')
}
