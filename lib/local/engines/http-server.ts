import type { Server } from 'node:http'

/** Closes at once: whoever still holds a connection is cut off. */
export const closeServer = (server: Server): Promise<void> => {
  return new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
}
