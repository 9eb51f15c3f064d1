import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { LOOPBACK, StartFailure, systemErrorCode } from '../engines/engine.ts'
import { replaceFile } from '../engines/kept-texts.ts'

export interface ReservedPort {
  readonly port: number
  /** Frees the port for the server that it was reserved for. */
  release(): Promise<void>
}

/**
 * Holds a loopback port until its server is ready to listen; 0 takes any free port.
 * @throws StartFailure when the port is taken or not permitted
 */
export const reservePort = async (wanted: number): Promise<ReservedPort> => {
  const server = createServer((socket) => socket.destroy())
  const port = await listen(server, wanted)
  return { port, release: () => new Promise((done) => server.close(() => done())) }
}

/** A port that was free a moment ago. Another process may take it. */
export const findFreePort = async (): Promise<number> => {
  const { port, release } = await reservePort(0)
  await release()
  return port
}

/** The port that an earlier start wrote to a file, if it is still free. Otherwise, 0: any free port. */
export const keptPort = async (file: string): Promise<number> => {
  try {
    const { port, release } = await reservePort(Number(await readFile(file, 'utf8')))
    await release()
    return port
  } catch {
    return 0
  }
}

/** As `reservePort`, for the port that an earlier start wrote to the file, or any free one. Without a file: any free one. */
export const reserveSamePort = async (file: string | undefined): Promise<ReservedPort> => {
  const wanted = file === undefined ? 0 : await keptPort(file)
  const reserved = await reservePort(wanted)
  if (file !== undefined && reserved.port !== wanted) await replaceFile(file, `${reserved.port}`)
  return reserved
}

/** Listens on loopback. @returns the port. @throws StartFailure when the port is taken or not permitted */
export const listen = (server: Server, port: number): Promise<number> => {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, port)))
    server.listen(port, LOOPBACK, () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
    })
  })
}

const explain = (error: Error, port: number): Error => {
  const code = systemErrorCode(error)
  if (code === 'EADDRINUSE')
    return new StartFailure(`Port ${port} is already in use; choose another one with --port, or any free one with --port 0.`)
  if (code === 'EACCES') return new StartFailure(`Port ${port} may not be used by this user; choose another one with --port.`)
  return error
}
