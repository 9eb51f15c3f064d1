import type { Vapi } from '@vapi-ai/server-sdk'

/** The rules of Vapi's OpenAPI document for a request to place a call. The emulator refuses everything else. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

type Fields<T> = Record<keyof T, true>

/** The compiler tells when the vendor adds or removes a field. */
const CALL: Fields<Omit<Vapi.CreateCallDto, never>> = {
  ...{ assistantVersion: true, transport: true, customers: true, name: true, schedulePlan: true, assistantId: true, assistant: true },
  ...{ assistantOverrides: true, squadId: true, squad: true, squadOverrides: true, workflowId: true, workflow: true },
  ...{ workflowOverrides: true, phoneNumberId: true, phoneNumber: true, customerId: true, customer: true },
}
const CUSTOMER: Fields<Vapi.CreateCustomerDto> = {
  ...{ numberE164CheckEnabled: true, extension: true, assistantOverrides: true, squadOverrides: true, number: true, sipUri: true },
  ...{ name: true, email: true, externalId: true },
}
const SERVER: Fields<Vapi.Server> = {
  ...{ timeoutSeconds: true, credentialId: true, staticIpAddressesEnabled: true, encryptedPaths: true, url: true },
  ...{ headers: true, backoffPlan: true },
}
const OVERRIDES: Fields<Vapi.AssistantOverrides> = {
  ...{ transcriber: true, model: true, voice: true, firstMessage: true, firstMessageInterruptionsEnabled: true, firstMessageMode: true },
  ...{ voicemailDetection: true, clientMessages: true, serverMessages: true, maxDurationSeconds: true, backgroundSound: true },
  ...{ modelOutputInMessagesEnabled: true, transportConfigurations: true, observabilityPlan: true, credentials: true, hooks: true },
  ...{ 'tools:append': true, variableValues: true, name: true, voicemailMessage: true, endCallMessage: true, endCallPhrases: true },
  ...{ compliancePlan: true, metadata: true, backgroundSpeechDenoisingPlan: true, analysisPlan: true, artifactPlan: true },
  ...{ startSpeakingPlan: true, stopSpeakingPlan: true, monitorPlan: true, credentialIds: true, server: true, keypadInputPlan: true },
}

const foreign = (path: string, value: object | undefined, fields: object): string[] =>
  Object.keys(value ?? {}).flatMap((key) => (key in fields ? [] : [`${path}property ${key} should not exist`]))

/** The set-up of an account. */
export interface VapiAccount {
  readonly assistants: Readonly<Record<string, object>>
  readonly phoneNumbers: Readonly<Record<string, object>>
  readonly credentials: Readonly<Record<string, object>>
}

const invalid = ({ name, assistantId, phoneNumberId, customer, assistantOverrides: overrides }: Vapi.CreateCallDto): (string | false)[] => {
  const longest = overrides?.maxDurationSeconds ?? 600
  const plan = overrides?.server?.backoffPlan
  return [
    name !== undefined && name.length > 40 && 'name must be shorter than or equal to 40 characters',
    assistantId !== undefined && !UUID.test(assistantId) && 'assistantId must be a UUID',
    phoneNumberId !== undefined && !UUID.test(phoneNumberId) && 'phoneNumberId must be a UUID',
    !/^\+[1-9]\d{6,14}$/.test(customer?.number ?? '') &&
      'customer.number must be a valid phone number in the E.164 format. Hot tip, you may be missing the country code (Eg. US: +1).',
    (longest < 10 || longest > 43_200) && 'assistantOverrides.maxDurationSeconds must be from 10 to 43200',
    plan !== undefined && (plan.maxRetries > 10 || plan.baseDelaySeconds > 10) && 'server.backoffPlan is beyond its limits',
    (overrides?.voicemailMessage?.length ?? 0) > 1000 && 'assistantOverrides.voicemailMessage is too long',
  ]
}

const missing = (account: VapiAccount, { assistantId, phoneNumberId, assistantOverrides }: Vapi.CreateCallDto): string | undefined => {
  if (!assistantId) return "Couldn't Get Assistant. Need Either `assistant`, `assistantId`, `squad`, Or `squadId`"
  if (!phoneNumberId) return "Couldn't Get Phone Number. Need Either `phoneNumberId` Or `phoneNumber`"
  if (!account.assistants[assistantId]) return `Couldn't Get Assistant. assistantId ${assistantId} Does Not Exist.`
  if (!account.phoneNumbers[phoneNumberId]) return `Couldn't Get Phone Number. phoneNumberId ${phoneNumberId} Does Not Exist.`
  const credential = assistantOverrides?.server?.credentialId
  return credential !== undefined && !account.credentials[credential] ? `Couldn't Get Credential ${credential}.` : undefined
}

/** The fault of a request, in Vapi's words where they are known; undefined when it has none. */
export const vapiProblem = (account: VapiAccount, call: Vapi.CreateCallDto): string[] | string | undefined => {
  const { customer, assistantOverrides: overrides } = call
  const faults = [
    ...foreign('', call, CALL),
    ...foreign('customer.', customer, CUSTOMER),
    ...foreign('assistantOverrides.', overrides, OVERRIDES),
    ...foreign('assistantOverrides.server.', overrides?.server, SERVER),
    ...invalid(call).filter((fault) => fault !== false),
  ]
  return faults.length > 0 ? faults : missing(account, call)
}
