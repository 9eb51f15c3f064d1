import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Closes at once: whoever still holds a connection is cut off. */
export const closeServer = (server: Server): Promise<void> => {
  return new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A handler whose failures end its own request, and not the process: clients go away, and send what no server thought of. */
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

/** Guards what a library has its server do with requests. */
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
