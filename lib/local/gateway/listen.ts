import { once } from 'node:events'
import type { Server } from 'node:http'

const graceMs = 800

/** Listens on 127.0.0.1. @throws the listening error, with its `code`. */
export const listenOn = async (server: Server, port: number): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  // Clients keep connections longer than Node does, and one that the server closes just as it is used again shows as a failed request.
  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
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
