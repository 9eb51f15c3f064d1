import * as v from 'valibot'
import type { Ask, Connection } from '../adapter.ts'
import { extractedFrom, unknownOutcome } from '../analysis.ts'
import { isPlatformSuccess, readPlatformAnswer } from '../read-answer.ts'
import { telnyxRequest } from './request.ts'

/** Telnyx's result of an analysis. With a JSON schema it is an object or the object's text, otherwise plain text. */
const Insight = v.object({ result: v.unknown() })
export const TelnyxInsights = v.array(Insight)

const resultIn = (result: unknown) => (typeof result === 'string' ? readPlatformAnswer(v.unknown(), result) : result)

const isPlain = (result: unknown): result is string => typeof result === 'string' && !result.trimStart().startsWith('{')

/** `extracted`: undefined when no insight has our schema. `unknown`: names an outcome that we do not know. */
export const analysedByTelnyx = (insights: v.InferOutput<typeof TelnyxInsights>) => {
  const texts = insights.map(({ result }) => result)
  const results = texts.map(resultIn)
  return { extracted: extractedFrom(results), summary: texts.find(isPlain), unknown: unknownOutcome(results) }
}

const Conversations = v.object({ data: v.array(v.object({ id: v.string() })) })
const Generated = v.object({ data: v.array(v.object({ conversation_insights: TelnyxInsights })) })

const read = async <S extends v.GenericSchema>(ask: Ask, connection: Connection, path: string, schema: S): Promise<v.InferOutput<S>> => {
  const { status, text } = await ask(telnyxRequest(connection, path))
  const found = isPlatformSuccess(status) ? readPlatformAnswer(schema, text) : undefined
  if (found === undefined) throw new Error(`Telnyx answered ${status} when asked for the insights of a call.`)
  return found
}

/** Whether the assistant talked in a call, and the analysis of the conversation. @throws when Telnyx does not answer */
export const telnyxInsightsOf = async (ask: Ask, connection: Connection, platformCallId: string) => {
  const query = new URLSearchParams({ 'metadata->call_control_id': `eq.${platformCallId}`, limit: '1' })
  const [conversation] = (await read(ask, connection, `/ai/conversations?${query}`, Conversations)).data
  if (!conversation) return { talked: false, analysed: analysedByTelnyx([]) }
  const path = `/ai/conversations/${encodeURIComponent(conversation.id)}/conversations-insights`
  const { data } = await read(ask, connection, path, Generated)
  return { talked: true, analysed: analysedByTelnyx(data.flatMap(({ conversation_insights }) => conversation_insights)) }
}
