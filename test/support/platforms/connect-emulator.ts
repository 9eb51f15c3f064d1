import { randomUUID } from 'node:crypto'
import type { AnsweringMachineDetectionStatus, StartOutboundVoiceContactRequest } from '@aws-sdk/client-connect'
import type { Ask } from '#shared/agents/platforms/adapter.ts'
import { type ConnectInstance, connectProblem, connectRefusal } from './connect-contract.ts'
import { ask, type CallbackFault, type DialFault, type Emulator, listen, type Reply, type Rung, type Seen } from './emulator.ts'

/** What happens in a call through Amazon Connect. */
export interface ConnectScript {
  /** Reason of the end in the contact's record. Events have it only if the script says so. */
  readonly reason: string
  readonly isAnswered?: boolean
  readonly machine?: AnsweringMachineDetectionStatus | string
  /** The flow queues the call, and perhaps an agent takes it. */
  readonly queue?: 'waits' | 'joins'
  /** Attributes that the flow adds to the contact. */
  readonly results?: Readonly<Record<string, string>>
  /** The call stays there until it is released or stopped. */
  readonly waits?: 'INITIATED' | 'CONNECTED_TO_SYSTEM'
}

/** How calls go by default, by the last four digits of the number. */
const BY_DIGITS: Readonly<Record<string, ConnectScript>> = {
  '0001': { reason: 'TELECOM_TIMEOUT' },
  '0002': { reason: 'TELECOM_BUSY' },
  '0003': { reason: 'TELECOM_NUMBER_INVALID' },
  '0004': { reason: 'TELECOM_PROBLEM' },
  '0005': { reason: 'CONTACT_FLOW_DISCONNECT', isAnswered: true, machine: 'VOICEMAIL_BEEP' },
  '0006': { reason: 'CUSTOMER_DISCONNECT', isAnswered: true, waits: 'INITIATED' },
  '0007': { reason: 'CUSTOMER_DISCONNECT', isAnswered: true, waits: 'CONNECTED_TO_SYSTEM' },
}
const TALKED: ConnectScript = { reason: 'CUSTOMER_DISCONNECT', isAnswered: true, results: { call_outcome: 'not_interested' } }

export interface ConnectOptions extends ConnectInstance {
  readonly region: string
  readonly isOutbound?: boolean
  readonly script?: (number: string) => ConnectScript | undefined
  /** Takes each event of EventBridge, as JSON. */
  readonly onEvent: (event: string) => void
  readonly hasEventReasons?: boolean
  readonly isRecordWithAttributes?: boolean
  readonly now?: () => number
}

interface Contact {
  readonly id: string
  readonly request: StartOutboundVoiceContactRequest
  readonly initiated: number
  status: 'INITIATED' | 'CONNECTED_TO_SYSTEM' | 'DISCONNECTED'
  attributes: Record<string, string>
  script: ConnectScript
  connected?: number
  queued?: number
  joined?: number
  disconnected?: number
}

const seconds = (time: number | undefined) => (time === undefined ? undefined : time / 1000)
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

export const startConnectEmulator = async (options: ConnectOptions) => {
  const { instanceId, region, now = Date.now } = options
  const instanceArn = `arn:aws:connect:${region}:111122223333:instance/${instanceId}`
  const contacts = new Map<string, Contact>()
  const rung: Rung[] = []
  const faults: { dial: DialFault; callback: CallbackFault; read?: Reply | undefined } = { dial: 'none', callback: 'none' }

  const tell = (contact: Contact, eventType: string): void => {
    const detail = {
      ...{ eventType, contactId: contact.id, channel: 'VOICE', instanceArn, initiationMethod: 'API' },
      initiationTimestamp: iso(contact.initiated),
      // Amazon Connect sends this for a time that is not set.
      connectedToSystemTimestamp: iso(contact.connected) ?? '1970-01-01T00:00:00.001Z',
      disconnectTimestamp: iso(contact.disconnected),
      ...(options.hasEventReasons && contact.disconnected !== undefined && { disconnectReason: contact.script.reason }),
      ...(contact.request.TrafficType === 'CAMPAIGN' && { answeringMachineDetectionStatus: contact.script.machine }),
      ...(contact.queued !== undefined && { queueInfo: { queueArn: `${instanceArn}/queue/q1`, enqueueTimestamp: iso(contact.queued) } }),
      ...(contact.joined !== undefined && { agentInfo: { connectedToAgentTimestamp: iso(contact.joined) } }),
      tags: { 'aws:connect:instanceId': instanceId },
    }
    const source = { version: '0', id: randomUUID(), 'detail-type': 'Amazon Connect Contact Event', source: 'aws.connect', region }
    const event = JSON.stringify({ ...source, time: iso(now()), detail })
    if (faults.callback !== 'lost') options.onEvent(event)
    if (faults.callback === 'twice') options.onEvent(event)
  }

  const connect = (contact: Contact): void => {
    Object.assign(contact, { status: 'CONNECTED_TO_SYSTEM', connected: now() })
    tell(contact, 'CONNECTED_TO_SYSTEM')
    if (contact.script.queue) {
      contact.queued = now()
      tell(contact, 'QUEUED')
    }
    if (contact.script.queue === 'joins') {
      contact.joined = now()
      tell(contact, 'CONNECTED_TO_AGENT')
    }
  }

  const advance = (contact: Contact): void => {
    if (contact.status === 'INITIATED' && contact.script.waits !== 'INITIATED' && contact.script.isAnswered) connect(contact)
    if (contact.status === 'DISCONNECTED' || contact.status === contact.script.waits) return
    const attributes = { ...contact.attributes, ...contact.script.results }
    Object.assign(contact, { status: 'DISCONNECTED', disconnected: now(), attributes })
    for (const eventType of ['DISCONNECTED', 'COMPLETED']) tell(contact, eventType)
  }

  /** Lets a waiting call go on, or end otherwise. */
  const release = (platformCallId: string, script: Partial<ConnectScript> = {}): void => {
    const contact = contacts.get(platformCallId)
    if (!contact) throw new Error(`There is no contact ${platformCallId}.`)
    const { waits: _, ...rest } = contact.script
    contact.script = { ...rest, ...script }
    advance(contact)
  }

  const dial = (request: StartOutboundVoiceContactRequest): Reply => {
    const wrong = connectProblem(options, request)
    if (wrong) return wrong
    // A contact that is over is none: earlier documentation said so, and later documentation says nothing.
    const same = [...contacts.values()].find((one) => one.request.ClientToken === request.ClientToken && one.status !== 'DISCONNECTED')
    if (same && request.ClientToken) return { status: 200, body: { ContactId: same.id } }
    const { DestinationPhoneNumber: to = '', SourcePhoneNumber: from = '', Attributes: attributes = {} } = request
    const script = options.script?.(to) ?? BY_DIGITS[to.slice(-4)] ?? TALKED
    const contact: Contact = { id: randomUUID(), request, initiated: now(), status: 'INITIATED', attributes, script }
    contacts.set(contact.id, contact)
    rung.push({ platformCallId: contact.id, to, from, callId: attributes['call_id'] ?? null })
    tell(contact, 'INITIATED')
    advance(contact)
    return { status: 200, body: { ContactId: contact.id } }
  }

  /** Another application of the instance places a call, under a name of its own. */
  const foreign = (name?: string): void => {
    const [ContactFlowId] = Object.keys(options.flows)
    const numbers = { DestinationPhoneNumber: '+12125550100', SourcePhoneNumber: options.numbers[0] }
    dial({ InstanceId: instanceId, ContactFlowId, Name: name, ...numbers })
  }

  const stop = ({ ContactId, InstanceId }: { readonly ContactId: string; readonly InstanceId: string }): Reply => {
    const contact = InstanceId === instanceId ? contacts.get(ContactId) : undefined
    if (!contact || contact.status === 'DISCONNECTED') return connectRefusal(410, 'ContactNotFoundException', 'The contact does not exist.')
    release(ContactId, { reason: 'OTHER', isAnswered: false })
    return { status: 200, body: {} }
  }

  const record = (contact: Contact): object => ({
    ...{ Id: contact.id, Name: contact.request.Name, Channel: 'VOICE', InitiationMethod: 'API' },
    CustomerEndpoint: { Type: 'TELEPHONE_NUMBER', Address: contact.request.DestinationPhoneNumber },
    InitiationTimestamp: seconds(contact.initiated),
    ConnectedToSystemTimestamp: seconds(contact.connected),
    DisconnectTimestamp: seconds(contact.disconnected),
    ...(contact.disconnected !== undefined && { DisconnectReason: contact.script.reason }),
    ...(contact.request.TrafficType === 'CAMPAIGN' && { AnsweringMachineDetectionStatus: contact.script.machine }),
    ...(contact.queued !== undefined && { QueueInfo: { EnqueueTimestamp: seconds(contact.queued) } }),
    ...(contact.joined !== undefined && { AgentInfo: { ConnectedToAgentTimestamp: seconds(contact.joined) } }),
    ...(options.isRecordWithAttributes !== false && { Attributes: contact.attributes }),
  })

  /** Voice contacts are found once they are connected to an agent or over. One a page, so that callers must turn pages. */
  const search = ({ TimeRange, NextToken = '0' }: { TimeRange: { StartTime: number; EndTime: number }; NextToken?: string }): Reply => {
    const shown = [...contacts.values()].filter((one) => one.status === 'DISCONNECTED' || one.joined !== undefined)
    const found = shown.filter(({ initiated }) => initiated / 1000 >= TimeRange.StartTime && initiated / 1000 <= TimeRange.EndTime)
    const next = Number(NextToken) + 1
    const Contacts = found.slice(next - 1, next).map(({ id, request }) => ({ Id: id, Name: request.Name, Channel: 'VOICE' }))
    return { status: 200, body: { Contacts, ...(next < found.length && { NextToken: String(next) }) } }
  }

  const read = (path: string): Reply => {
    const [, kind, ...rest] = path.split('/').map(decodeURIComponent)
    const [instance, id = ''] = kind === 'contact' ? rest.slice(1) : rest
    const found = instance === instanceId
    const contact = contacts.get(id)
    if (kind === 'instance' && found)
      return { status: 200, body: { Instance: { Arn: instanceArn, OutboundCallsEnabled: options.isOutbound ?? true } } }
    if (kind === 'contact-flows' && found && options.flows[id]) return { status: 200, body: { ContactFlow: options.flows[id] } }
    if (kind === 'phone-numbers-summary' && found) {
      return { status: 200, body: { PhoneNumberSummaryList: options.numbers.map((PhoneNumber) => ({ PhoneNumber })) } }
    }
    if (kind === 'contacts' && found && contact) return { status: 200, body: { Contact: record(contact) } }
    if (kind === 'contact' && found && contact) return { status: 200, body: { Attributes: contact.attributes } }
    return connectRefusal(404, 'ResourceNotFoundException', 'The specified resource was not found.')
  }

  const answer = ({ method, path, headers, body }: Seen): Reply | undefined => {
    const { pathname } = new URL(path, server.url)
    const isSigned = headers.authorization?.includes(`/${region}/connect/aws4_request`)
    if (!isSigned) return connectRefusal(403, 'AccessDeniedException', 'The principal is not authorized to perform this action.')
    if (method === 'GET') return faults.read ?? read(pathname)
    if (method === 'POST' && pathname === '/contact/stop') return stop(JSON.parse(body))
    if (method === 'POST' && pathname === '/search-contacts') return search(JSON.parse(body))
    if (method !== 'PUT' || pathname !== '/contact/outbound-voice') return connectRefusal(404, 'UnknownOperationException', '')
    if (typeof faults.dial === 'object') return faults.dial
    if (faults.dial === 'lost-before') return undefined
    const reply = dial(JSON.parse(body))
    return faults.dial === 'lost-after' ? undefined : reply
  }

  const server = await listen(answer)
  return {
    ...{ url: server.url, seen: server.seen, rung, close: server.close, release, foreign },
    get dialFault() {
      return faults.dial
    },
    set dialFault(fault: DialFault) {
      faults.dial = fault
    },
    get callbackFault() {
      return faults.callback
    },
    set callbackFault(fault: CallbackFault) {
      faults.callback = fault
    },
    /** The answer to each request that only reads. */
    get readFault() {
      return faults.read
    },
    set readFault(fault: Reply | undefined) {
      faults.read = fault
    },
    settled: async () => {},
  } satisfies Emulator & { readonly release: typeof release; readonly foreign: typeof foreign; readFault: Reply | undefined }
}

/** Sends a request as the service does when it must be signed. The emulator looks at the scope of the signature only. */
export const signedAsk: Ask = ({ awsSigned, ...request }) => {
  if (!awsSigned) return ask(request)
  const scope = `20261122/${awsSigned.region}/${awsSigned.service}/aws4_request`
  const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=host;x-amz-date, Signature=0`
  return ask({ ...request, headers: { ...request.headers, authorization } })
}
