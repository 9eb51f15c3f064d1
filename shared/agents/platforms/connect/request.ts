import { type Connection, type Dial, MalformedSetting, type PlatformRequest } from '../adapter.ts'
import { dialKey } from '../own-call.ts'
import { RESULT_ATTRIBUTES } from './events.ts'

/** The API's host depends on the region. */
export const CONNECT_API = 'https://connect.{region}.amazonaws.com'

export const regionOf = ({ settings }: Pick<Connection, 'settings'>): string => settings['region'] ?? ''
export const instanceOf = ({ settings }: Pick<Connection, 'settings'>): string => settings['instance_id'] ?? ''

/** Regions whose hosts end as `CONNECT_API` does. Regions such as eusc-de-east-1 have other hosts. */
export const REGION_FORM = /^[a-z]{2}(-[a-z]+)+-\d$/

/**
 * A request to Amazon Connect, signed with the role of the function.
 * @throws MalformedSetting when the region is malformed: it becomes part of the host
 */
export const connectRequest = (
  connection: Connection,
  method: PlatformRequest['method'],
  path: string,
  body?: Readonly<Record<string, unknown>>,
): PlatformRequest => {
  const region = regionOf(connection)
  if (!REGION_FORM.test(region)) throw new MalformedSetting('The setting region must be a region of AWS such as us-east-1.')
  return {
    method,
    url: `${connection.api.replace('{region}', region)}${path}`,
    headers: body ? { 'content-type': 'application/json' } : {},
    ...(body && { body: JSON.stringify(body) }),
    awsSigned: { service: 'connect', region },
  }
}

/** Bytes. A contact holds 32,768, and its flow adds some. */
const ATTRIBUTES_SIZE = 28_000

/** The variables as attributes of the contact. Variables that do not fit, or are named like a result attribute, are left out. */
const attributesOf = ({ callId, variables, longestSeconds }: Dial): Readonly<Record<string, string>> => {
  const attributes: Record<string, string> = { call_id: callId, longest_seconds: String(longestSeconds) }
  let left = ATTRIBUTES_SIZE
  for (const [name, value] of Object.entries(variables)) {
    const key = name.replace(/[^A-Za-z0-9_-]/g, '_')
    const size = Buffer.byteLength(key) + Buffer.byteLength(value)
    if (key === '' || key in attributes || RESULT_ATTRIBUTES.includes(key) || size > left) continue
    attributes[key] = value
    left -= size
  }
  return attributes
}

/** Amazon Connect permits answering machine detection in campaigns only. */
const MACHINE_DETECTION = {
  TrafficType: 'CAMPAIGN',
  AnswerMachineDetectionConfig: { EnableAnswerMachineDetection: true, AwaitAnswerMachinePrompt: true },
}

/** The request to place a call. The contact's name is our id of the call, so that it can be found. */
export const connectDial = (connection: Connection, dial: Dial): PlatformRequest =>
  connectRequest(connection, 'PUT', '/contact/outbound-voice', {
    InstanceId: instanceOf(connection),
    ContactFlowId: connection.assistant,
    DestinationPhoneNumber: dial.to,
    SourcePhoneNumber: dial.from.number,
    ClientToken: dialKey(dial),
    Name: dial.callId,
    Attributes: attributesOf(dial),
    ...(connection.settings['machine_detection'] === 'on' && MACHINE_DETECTION),
  })
