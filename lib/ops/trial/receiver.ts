import { createServer, type IncomingMessage } from 'node:http'
import * as v from 'valibot'
import type { Agent } from '#shared/accounts/configuration.ts'
import { CallReport } from '#shared/agents/api/call-report.ts'
import { isFromAgent, isToolRequest } from '#shared/agents/platform-requests.ts'
import type { PlatformCallback } from '#shared/agents/platforms/adapter.ts'
import { answerToTools, type ToolAnswer, type Translation, translateCallback } from '#shared/agents/voice-agent.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { LOOPBACK } from '../../local/engines/engine.ts'
import { closeServer, readBody } from '../../local/engines/http-server.ts'
import { listen } from '../../local/processes/ports.ts'

interface ReceiverOptions {
  readonly agent: Agent
  readonly callId: string
  /** 0 takes any free port. */
  readonly port: number
  /** The address of a tunnel to the receiver, without a trailing slash. */
  readonly publicUrl: string | undefined
  readonly now: () => Instant
  readonly onReport: (report: CallReport) => void
  readonly onTranslation: (translation: Translation) => void
  /** Gets the name of a tool that the assistant calls. */
  readonly onTool: (name: string) => void
  /** Gets a sentence about a request that is refused. */
  readonly onRefused: (sentence: string) => void
  /** Whether the agent should hang up. */
  readonly isCancelled: () => boolean
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

export interface TrialReceiver {
  /** Where an agent or a platform reaches it, without a trailing slash. */
  readonly url: string
  readonly close: () => Promise<void>
}

const UNSIGNED: Reply = { status: 401, body: { detail: 'The signature is missing or wrong, or its time is too old.' } }
const TOO_LONG: Reply = { status: 413, body: { detail: 'The body has more than 4 MB.' } }
const NOT_FOUND: Reply = { status: 404, body: { detail: 'Not found.' } }

/** As much as the service reads of a platform's record of a call. */
const MOST_BYTES = 4 * 1024 * 1024
/** It is `ok`, because Vapi shows the model every other answer as an error. Then the conversation would not go on as with a lead. */
const TRIAL: ToolAnswer = { ok: true, message: 'This is a trial: nothing was recorded or booked. Go on with the conversation.' }
const LONGEST_NAME = 100

const PATH = /^\/api\/agents\/(calls|platforms)\/([^/]+)\/(?:events|tools\/(\w+))\/$/

const Json = v.pipe(v.string(), v.parseJson(), CallReport)

/** Receives the reports of one call as the service does: what is not signed is refused. */
export const startTrialReceiver = async (options: ReceiverOptions): Promise<TrialReceiver> => {
  const { agent, callId, now, onReport, onTranslation, onTool, onRefused, isCancelled } = options

  const refuse = (reply: Reply, sentence: string): Reply => {
    onRefused(sentence)
    return reply
  }

  const ofOpenProtocol = (rawBody: string): Reply => {
    const read = v.safeParse(Json, rawBody)
    if (!read.success) {
      const detail = read.issues.map(({ message, path }) => `${path?.map(({ key }) => key).join('.') ?? 'body'}: ${message}`).join(' ')
      return refuse({ status: 400, body: { detail } }, `A report of the agent was refused. ${detail}`)
    }
    if (read.output.call_id !== callId)
      return refuse({ status: 400, body: { detail: 'The body names another call.' } }, 'A report names another call.')
    onReport(read.output)
    const body = { status: 'accepted', call_dnc: false, sms_dnc: false, lead_status: 'OPEN', cancel: isCancelled() }
    return { status: 200, body }
  }

  const ofEvent = (callback: PlatformCallback): Reply => {
    const translation = translateCallback(agent, callback)
    if (!translation)
      return refuse({ status: 400, body: { detail: 'Not a documented event.' } }, 'An event of the platform was not understood.')
    onTranslation(translation)
    const { asks = [] } = translation
    if (asks.length === 0) return { status: 200, body: { status: 'accepted' } }
    for (const { name } of asks) onTool(name.slice(0, LONGEST_NAME))
    const results = asks.map((call) => ({ call, answer: TRIAL }))
    return { status: 200, body: answerToTools(agent, results) }
  }

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const { pathname } = new URL(request.url ?? '/', 'http://receiver')
    const [, kind, id, tool] = PATH.exec(pathname) ?? []
    const isExpected = agent.platform ? kind === 'platforms' && id === agent.id : kind === 'calls' && id === callId && !tool
    if (request.method !== 'POST' || !isExpected) return NOT_FOUND
    const bytes = await readBody(request, MOST_BYTES)
    if (!bytes) return refuse(TOO_LONG, 'A request was refused: it has more than 4 MB.')
    const rawBody = bytes.toString()
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, `${value}`]))
    const callback = { url: `${url}${request.url}`, rawBody, headers, at: now() }
    if (!(await (tool ? isToolRequest : isFromAgent)(agent, callback)))
      return refuse(UNSIGNED, 'A request was refused: its signature is missing, wrong or too old.')
    if (tool) {
      onTool(tool.slice(0, LONGEST_NAME))
      return { status: 200, body: TRIAL }
    }
    return agent.platform ? ofEvent(callback) : ofOpenProtocol(rawBody)
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    )
  })
  const port = await listen(server, options.port)
  const url = options.publicUrl ?? `http://${LOOPBACK}:${port}`
  return { url, close: () => closeServer(server) }
}
