import * as v from 'valibot'
import type { Advice, Check, Connection, PlatformAnswer } from '../adapter.ts'
import { ANALYSIS_SCHEMA, SPOKEN_OUTCOMES } from '../analysis.ts'
import { unexpectedAnswer } from '../look-up.ts'
import { missingTools } from '../missing-tools.ts'
import { ifPresent, readPlatformAnswer } from '../read-answer.ts'
import { type OfferedTool, toolOf } from '../tools.ts'
import { retellGet } from './requests.ts'

const { outcome, callback_time, message_left } = ANALYSIS_SCHEMA.properties

/** The fields that Retell extracts after each call, in its own form. Retell writes the summary by itself. */
const RETELL_ANALYSIS = [
  { type: 'enum', name: 'outcome', description: outcome.description, choices: outcome.enum },
  { type: 'string', name: 'callback_time', description: callback_time.description },
  { type: 'boolean', name: 'message_left', description: message_left.description },
]

const Engine = v.object({ llm_id: ifPresent(v.string()), conversation_flow_id: ifPresent(v.string()), version: ifPresent(v.number()) })
type Engine = v.InferOutput<typeof Engine>

type Get = (path: string) => Promise<PlatformAnswer>

const Agent = v.object({
  post_call_analysis_data: ifPresent(v.array(v.object({ name: ifPresent(v.string()), choices: ifPresent(v.array(v.string())) }))),
  voicemail_option: ifPresent(v.object({})),
  response_engine: Engine,
})

/** Custom functions, wherever the prompt, its states or the nodes of a flow have them. */
const functionsIn = (value: unknown): { name: unknown; url: unknown; args_at_root?: unknown }[] => {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(functionsIn)
  return 'type' in value && value.type === 'custom' && 'name' in value && 'url' in value ? [value, ...inner] : inner
}

const isUnknown = (status: number): boolean => status === 404 || status === 422

const unless = (isRight: boolean, problem: string, paste?: string): Advice[] => (isRight ? [] : [{ problem, ...(paste && { paste }) }])

const functionAdvice = (engine: unknown, callbackUrl: string, tools: readonly OfferedTool[]): readonly Advice[] => {
  const ours = functionsIn(engine).filter(({ name }) => typeof name === 'string' && toolOf(name))
  return [
    ...missingTools(
      tools,
      ours.map(({ name }) => ({ name: String(name) })),
      'Add it as a custom function.',
    ),
    ...ours.flatMap(({ name, url, args_at_root }) => [
      ...unless(url === callbackUrl, `The function ${name} calls ${url}. Let it call this URL.`, callbackUrl),
      ...unless(args_at_root !== true, `The function ${name} sends its arguments only. Switch off "Payload: args only".`),
    ]),
  ]
}

const agentAdvice = ({ post_call_analysis_data, voicemail_option }: v.InferOutput<typeof Agent>): Advice[] => {
  const choices = post_call_analysis_data?.find(({ name }) => name === 'outcome')?.choices ?? []
  return [
    ...unless(
      SPOKEN_OUTCOMES.every((spoken) => choices.includes(spoken)),
      'The assistant does not tell the outcome of a call. Add these fields to its post_call_analysis_data.',
      JSON.stringify(RETELL_ANALYSIS, null, 2),
    ),
    ...unless(
      voicemail_option !== null,
      'Voicemail detection is off, so the assistant talks to machines. Set this voicemail_option, or one that leaves a message.',
      JSON.stringify({ action: { type: 'hangup' } }),
    ),
  ]
}

/** Advice about the assistant's engine. Functions of a customer's own model cannot be checked. */
const engineAdvice = async (
  get: Get,
  { llm_id, conversation_flow_id, version }: Engine,
  callbackUrl: string | null,
  tools: readonly OfferedTool[],
): Promise<readonly Advice[]> => {
  const path = llm_id ? `/get-retell-llm/${llm_id}` : conversation_flow_id ? `/get-conversation-flow/${conversation_flow_id}` : null
  if (!path || callbackUrl === null) return []
  const { status, text } = await get(`${path}${version === null ? '' : `?version=${version}`}`)
  if (status !== 200) return [{ problem: `Retell answered ${status} about the functions of the assistant. Check again later.` }]
  return functionAdvice(readPlatformAnswer(v.unknown(), text), callbackUrl, tools)
}

const numberAdvice = async (get: Get, number: string): Promise<Advice[]> => {
  const { status } = await get(`/get-phone-number/${encodeURIComponent(number)}`)
  // The advice about the assistant already covers a rejected key.
  if (status === 200 || status === 401) return []
  const missing = `Retell does not have the number ${number}. Buy it there, import it, or remove it from this agent.`
  return [{ problem: isUnknown(status) ? missing : unexpectedAnswer('Retell', status, number) }]
}

const assistantAdvice = async (
  get: Get,
  { assistant, settings }: Connection,
  callbackUrl: string | null,
  tools: readonly OfferedTool[],
): Promise<readonly Advice[]> => {
  const version = settings['agent_version']
  const { status, text } = await get(
    `/get-agent/${encodeURIComponent(assistant)}${version ? `?version=${encodeURIComponent(version)}` : ''}`,
  )
  if (status === 401) return [{ problem: 'Retell rejects the API key. Copy the key that has the webhook badge.' }]
  if (isUnknown(status)) return [{ problem: `Retell does not have the assistant ${assistant}. Copy its agent ID.` }]
  const agent = status === 200 ? readPlatformAnswer(Agent, text) : undefined
  if (!agent)
    return [{ problem: `Retell answered ${status}, but not with an assistant. Check the address of its API, or try again later.` }]
  return [...agentAdvice(agent), ...(await engineAdvice(get, agent.response_engine, callbackUrl, tools))]
}

export const checkRetell: Check = async (ask, connection, from, callbackUrl, tools) => {
  const get: Get = (path) => ask(retellGet(connection, path))
  const assistant = await assistantAdvice(get, connection, callbackUrl, tools)
  const numbers = await Promise.all(from.map(({ number }) => numberAdvice(get, number)))
  return [...assistant, ...numbers.flat()]
}
