import { createServer, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { LOOPBACK } from '../engines/engine.ts'
import { closeServer } from '../engines/http-server.ts'
import { listen } from '../processes/ports.ts'
import { SimulatedAgent } from './agent.ts'
import { agentRefusal, answer, type SimulatedAnswer } from './answers.ts'
import { SimulatedCalendar } from './calendar.ts'

interface VoiceAgentOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** File that keeps calls over a restart; undefined: they are lost. */
  readonly journalFile: string | undefined
  /** Base URL of the service. Its origin replaces the origin in callback URLs from before the restart. */
  readonly serviceUrl: string
  /** Standard Webhooks secret (`whsec_…`) for both directions. */
  readonly secret: string
  readonly log: (message: string) => void
  /** Speed factor of calls and retries. Default: 1. */
  readonly speed?: number | undefined
}

export interface VoiceAgent {
  /** The agent's address, without a trailing slash. It takes calls; `/dials`, `/cancel`, `/calendar` and `/reassigned-numbers` are below it. */
  readonly url: string
  readonly close: () => Promise<void>
}

const respond = (response: ServerResponse, reply: SimulatedAnswer): void => {
  if (reply) response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
}

/**
 * A voice agent that calls nobody. The last four digits of the phone number decide its behaviour. It counts its dials: at most one per
 * idempotency key, also over restarts. Rejects when the port is taken or the journal cannot be read.
 */
export const startVoiceAgent = async ({ port, secret, speed = 1, ...options }: VoiceAgentOptions): Promise<VoiceAgent> => {
  const webhook = new Webhook(secret)
  const agent = new SimulatedAgent({ ...options, webhook, speed })
  const simulated = { agent, calendar: new SimulatedCalendar(), webhook }
  const server = createServer((request, response) => {
    answer(simulated, request).then(
      (reply) => respond(response, reply),
      (error) => {
        options.log(`voice agent: ${error}`)
        respond(response, agentRefusal(500, 'Internal error.'))
      },
    )
  })
  const boundPort = await listen(server, port).catch((error) => {
    agent.close()
    throw error
  })
  agent.resume()
  return {
    url: `http://${LOOPBACK}:${boundPort}`,
    close: async () => {
      agent.close()
      await closeServer(server)
    },
  }
}
