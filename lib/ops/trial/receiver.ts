import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import type { Agent } from '#shared/accounts/configuration.ts'
import { CallReport } from '#shared/agents/api/call-report.ts'
import { isFromAgent, type Translation, translateCallback } from '#shared/agents/voice-agent.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { LOOPBACK } from '../../local/engines/engine.ts'
import { closeServer } from '../../local/engines/http-server.ts'
import { listen } from '../../local/engines/ports.ts'

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
const NOT_FOUND: Reply = { status: 404, body: { detail: 'Not found.' } }

const Json = v.pipe(v.string(), v.parseJson(), CallReport)

/** Receives the reports of one call as the service does: what is not signed is refused. */
export const startTrialReceiver = async (options: ReceiverOptions): Promise<TrialReceiver> => {
  const { agent, callId, now, onReport, onTranslation, onRefused, isCancelled } = options

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

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const { pathname } = new URL(request.url ?? '/', 'http://receiver')
    const isOpen = !agent.platform && pathname === `/api/agents/calls/${callId}/events/`
    const isOfPlatform = agent.platform !== undefined && pathname === `/api/agents/platforms/${agent.id}/events/`
    if (request.method !== 'POST' || !(isOpen || isOfPlatform)) return NOT_FOUND
    const rawBody = await text(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, `${value}`]))
    const callback = { url: `${url}${request.url}`, rawBody, headers, at: now() }
    if (!(await isFromAgent(agent, callback))) return refuse(UNSIGNED, 'A report was refused: its signature is missing, wrong or too old.')
    if (isOpen) return ofOpenProtocol(rawBody)
    const translation = translateCallback(agent, callback)
    if (!translation)
      return refuse({ status: 400, body: { detail: 'Not a documented event.' } }, 'An event of the platform was not understood.')
    onTranslation(translation)
    return { status: 200, body: { status: 'accepted' } }
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
