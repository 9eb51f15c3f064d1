import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Heard {
  readonly bodies: Set<string>
  /** Statuses answered, in order; 0 for a request left hanging. */
  readonly answers: number[]
}

/** From 0 to 1, the same for the same request and seed. */
const chanceOf = (seed: number, id: string, count: number): number =>
  createHash('sha256').update(`${seed} ${id} ${count}`).digest().readUInt32BE() / 2 ** 32

const FAILS = 0.3
const HANGS = 0.05

const listen = (server: Server, port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))

/** A destination that answers 30 % of its requests with 500 and lets 5 % hang. It can restart on its port. */
export const startFlakyReceiver = async (seed: number) => {
  const heard = new Map<string, Heard>()
  const build = () =>
    createServer(async (request, response) => {
      const body = await text(request).catch(() => undefined)
      if (body === undefined) return
      const id = `${request.headers['webhook-id']}`
      const known = heard.get(id) ?? { bodies: new Set(), answers: [] }
      heard.set(id, known)
      known.bodies.add(body)
      const chance = chanceOf(seed, id, known.answers.length)
      if (chance < HANGS) return void known.answers.push(0)
      const status = chance < HANGS + FAILS ? 500 : 200
      known.answers.push(status)
      response.writeHead(status).end('{}')
    })
  let server = build()
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    heard,
    /** Cuts all open requests, and stays down for a moment. */
    restart: async (pauseMs: number) => {
      await close()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      server = build()
      await listen(server, port)
    },
    close,
  }
}
