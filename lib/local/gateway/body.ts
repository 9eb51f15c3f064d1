import type { IncomingMessage } from 'node:http'

/** Reads a body of at most `limit` bytes. A longer body gives undefined at once, and its rest is discarded. */
export const readBody = (request: IncomingMessage, limit: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const keep = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      request.off('data', keep).resume()
      chunks.length = 0
      resolve(undefined)
    }
    request.on('data', keep)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject)
    request.once('close', () => reject(new Error('The client went away before the request was complete.')))
  })
