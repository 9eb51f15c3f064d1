import * as v from 'valibot'
import type { Advice, Ask, CallerNumber, Check, Connection } from '../adapter.ts'
import { ANALYSIS_SCHEMA, SPOKEN_OUTCOMES } from '../analysis.ts'
import { unexpectedAnswer } from '../look-up.ts'
import { missingTools, type PresentTool } from '../missing-tools.ts'
import { ifPresent, readPlatformAnswer } from '../read-answer.ts'
import type { OfferedTool } from '../tools.ts'
import { vapiRequest } from './request.ts'

const Schema = ifPresent(
  v.object({ properties: ifPresent(v.object({ outcome: ifPresent(v.object({ enum: ifPresent(v.array(v.string())) })) })) }),
)
const Output = v.object({ id: ifPresent(v.string()), schema: Schema, assistantIds: ifPresent(v.array(v.string())) })
const Tool = v.object({ id: ifPresent(v.string()), function: ifPresent(v.object({ name: ifPresent(v.string()) })) })
const Assistant = v.object({
  id: v.string(),
  analysisPlan: ifPresent(v.object({ structuredDataPlan: ifPresent(v.object({ enabled: ifPresent(v.boolean()), schema: Schema })) })),
  artifactPlan: ifPresent(v.object({ structuredOutputIds: ifPresent(v.array(v.string())), structuredOutputs: ifPresent(v.array(Output)) })),
  monitorPlan: ifPresent(v.object({ controlEnabled: ifPresent(v.boolean()), controlAuthenticationEnabled: ifPresent(v.boolean()) })),
  model: ifPresent(
    v.object({
      tools: ifPresent(v.array(ifPresent(Tool))),
      toolIds: ifPresent(v.array(v.string())),
      toolRefs: ifPresent(v.array(v.object({ toolId: ifPresent(v.string()) }))),
    }),
  ),
  voicemailDetection: v.optional(v.unknown()),
})
type Assistant = v.InferOutput<typeof Assistant>
const Outputs = v.object({ results: v.array(Output) })
const PhoneNumber = v.object({ number: ifPresent(v.string()), status: ifPresent(v.string()), provider: ifPresent(v.string()) })

/** A finding, and the JSON to paste. */
const advice = (problem: string, paste?: unknown): Advice => ({
  problem,
  ...(paste !== undefined && { paste: JSON.stringify(paste, null, 2) }),
})

const failure = (status: number, what: string): Advice =>
  status === 401 || status === 403
    ? advice('Vapi refuses the API key. Use a private key of the organisation that owns the assistant.')
    : advice(unexpectedAnswer('Vapi', status, what))

const knowsOutcomes = (schema: v.InferOutput<typeof Schema>): boolean => {
  const outcomes = schema?.properties?.outcome?.enum ?? []
  return SPOKEN_OUTCOMES.every((outcome) => outcomes.includes(outcome))
}

const checkAnalysis = async (ask: Ask, connection: Connection, { analysisPlan, artifactPlan }: Assistant): Promise<readonly Advice[]> => {
  const plan = analysisPlan?.structuredDataPlan
  if (plan?.enabled && knowsOutcomes(plan.schema)) return []
  const { status, text } = await ask(vapiRequest(connection, 'GET', '/structured-output?limit=1000'))
  const saved = status === 200 ? readPlatformAnswer(Outputs, text) : undefined
  if (!saved) return [failure(status, 'its structured outputs')]
  const linked = saved.results.filter(
    ({ id, assistantIds }) =>
      (id !== null && artifactPlan?.structuredOutputIds?.includes(id)) || assistantIds?.includes(connection.assistant),
  )
  if ([...linked, ...(artifactPlan?.structuredOutputs ?? [])].some(({ schema }) => knowsOutcomes(schema))) return []
  const output = { name: 'Outcome of the call', type: 'ai', schema: ANALYSIS_SCHEMA, assistantIds: [connection.assistant] }
  const problem = 'The assistant does not extract outcomes, so no call can end as callback, do-not-call or wrong number.'
  return [advice(`${problem} Create this structured output, with POST ${connection.api}/structured-output.`, output)]
}

const presentIn = (tools: readonly (v.InferOutput<typeof Tool> | null)[]): PresentTool[] => tools.flatMap((tool) => tool?.function ?? [])

const checkTools = async (
  ask: Ask,
  connection: Connection,
  { model }: Assistant,
  tools: readonly OfferedTool[],
): Promise<readonly Advice[]> => {
  const how = `Create it, with POST ${connection.api}/tool, and add it to the assistant.`
  const own = presentIn(model?.tools ?? [])
  if (missingTools(tools, own, how).length === 0) return []
  const { status, text } = await ask(vapiRequest(connection, 'GET', '/tool?limit=1000'))
  const saved = status === 200 ? readPlatformAnswer(v.array(Tool), text) : undefined
  if (!saved) return [failure(status, 'its tools')]
  const used = [...(model?.toolIds ?? []), ...(model?.toolRefs ?? []).map(({ toolId }) => toolId)]
  return missingTools(tools, [...own, ...presentIn(saved.filter(({ id }) => used.includes(id)))], how)
}

const checkSettings = ({ settings }: Connection, { voicemailDetection, monitorPlan }: Assistant): readonly Advice[] => {
  const detects = settings['voicemail_detection'] ?? voicemailDetection
  const isControlled = monitorPlan?.controlEnabled !== false && monitorPlan?.controlAuthenticationEnabled !== true
  const machines = 'The assistant does not detect voicemail, so it talks to machines. Set its voicemailDetection, as a part of it.'
  const control = 'Calls of the assistant cannot be ended by us. Set this monitorPlan, as a part of the assistant.'
  return [
    ...(detects && detects !== 'off' ? [] : [advice(machines, { voicemailDetection: { provider: 'vapi' } })]),
    ...(isControlled ? [] : [advice(control, { monitorPlan: { controlEnabled: true, controlAuthenticationEnabled: false } })]),
  ]
}

const checkNumber = async (ask: Ask, connection: Connection, { number, id }: CallerNumber): Promise<readonly Advice[]> => {
  if (id === null) return [advice(`Vapi needs its own id of ${number}. Copy it from the phone number in Vapi's dashboard.`)]
  const { status, text } = await ask(vapiRequest(connection, 'GET', `/phone-number/${encodeURIComponent(id)}`))
  if (status === 404 || status === 400) return [advice(`Vapi has no phone number with the id ${id}. Copy the id of ${number} again.`)]
  const found = status === 200 ? readPlatformAnswer(PhoneNumber, text) : undefined
  if (!found) return [failure(status, number)]
  const mistakes = [
    found.number !== null && found.number !== number && `The id ${id} belongs to ${found.number}, not to ${number}. Correct one of them.`,
    found.status !== null &&
      found.status !== 'active' &&
      `Vapi reports the status ${found.status} of ${number}. Calls need an active number.`,
    found.provider === 'vapi' && `${number} is Vapi's own: few calls a day, none abroad. Import a number of Twilio, Telnyx or Vonage.`,
  ]
  return mistakes.filter((mistake) => mistake !== false).map((mistake) => advice(mistake))
}

/** The credential with which Vapi signs as Standard Webhooks prescribes. */
const CREDENTIAL = {
  provider: 'webhook',
  name: 'Lead outreach',
  authenticationPlan: {
    type: 'hmac',
    secretKey: '(the callback secret without whsec_)',
    secretIsBase64: true,
    algorithm: 'sha256',
    signatureHeader: 'webhook-signature',
    timestampHeader: 'webhook-timestamp',
    messageIdHeader: 'webhook-id',
    signaturePrefix: 'v1,',
    payloadFormat: '{svix-id}.{timestamp}.{body}',
    signatureEncoding: 'base64',
  },
}

const checkCallbacks = ({ callbackSecret, settings }: Connection): readonly Advice[] => [
  ...(callbackSecret
    ? []
    : [advice('There is no callback secret, so all callbacks are refused. Set one: whsec_ and at least 24 random bytes in base64.')]),
  ...(settings['credential_id']
    ? []
    : [
        advice(
          'Vapi does not sign callbacks. Create this custom credential in its dashboard, and set credential_id to its id.',
          CREDENTIAL,
        ),
      ]),
]

/** Each call names its own callback URL, so none must be set at Vapi. */
export const checkVapi: Check = async (ask, connection, from, callbackUrl, tools) => {
  const { status, text } = await ask(vapiRequest(connection, 'GET', `/assistant/${encodeURIComponent(connection.assistant)}`))
  if (status === 401 || status === 403) return [failure(status, 'the assistant')]
  const assistant = status === 200 ? readPlatformAnswer(Assistant, text) : undefined
  const absent = status === 404 || status === 400
  const found: Advice[] = []
  if (absent) found.push(advice(`Vapi has no assistant with the id ${connection.assistant}. Copy its id from Vapi's dashboard.`))
  else if (!assistant) found.push(failure(status, 'the assistant'))
  else {
    found.push(...(await checkAnalysis(ask, connection, assistant)), ...(await checkTools(ask, connection, assistant, tools)))
    found.push(...checkSettings(connection, assistant))
  }
  for (const number of from) found.push(...(await checkNumber(ask, connection, number)))
  return callbackUrl === null ? found : [...found, ...checkCallbacks(connection)]
}
