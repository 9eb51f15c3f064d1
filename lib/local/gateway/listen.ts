import { once } from 'node:events'
import type { Server } from 'node:http'
import { LOOPBACK } from '../engines/access.ts'
import { listen } from '../engines/ports.ts'

const graceMs = 800

/** Listens on loopback. @throws StartFailure when the port is taken or not permitted */
export const listenOn = async (server: Server, port: number): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  // Clients keep connections longer than Node's default. A connection that the server closes at its next use shows as a failed request.
  server.keepAliveTimeout = 60_000
  const boundPort = await listen(server, port)
  return {
    url: `http://${LOOPBACK}:${boundPort}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
    },
  }
}
