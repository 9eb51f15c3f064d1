import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Closes at once, and cuts open connections. */
export const closeServer = (server: Server): Promise<void> => {
  return new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Makes a failure of the handler end only its request, not the process. Clients disconnect, or send malformed requests. */
export const guarded =
  (handle: Handler) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await handle(request, response)
    } catch {
      if (!response.headersSent) response.writeHead(500)
      response.end()
    }
  }

/** Guards the request handlers that a library has put on its server. */
export const guardServer = (server: Server): void => {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on(
    'request',
    guarded(async (request, response) => {
      for (const listener of listeners) await Reflect.apply(listener, server, [request, response])
    }),
  )
}
