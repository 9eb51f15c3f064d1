import { createReadStream } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { reasonOf, UploadFailure } from './failure.ts'

/** Longest silence during the upload, and before the answer. */
const SILENCE_MS = 120_000

/** The error text in S3's XML. */
const toldBy = (xml: string): string | undefined => /<Message>([^<]*)<\/Message>/.exec(xml)?.[1] ?? /<Code>([^<]*)<\/Code>/.exec(xml)?.[1]

const put = async (url: string, file: string, size: number, sent: (bytes: number) => void): Promise<IncomingMessage> => {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  // With its length: a bucket accepts no body in chunks.
  const request = send(url, { method: 'PUT', headers: { 'content-length': size } })
  request.setTimeout(SILENCE_MS, () => request.destroy(new Error('nothing moved for two minutes')))
  const answered = new Promise<IncomingMessage>((resolve, reject) => void request.once('response', resolve).once('error', reject))
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    let total = 0
    for await (const chunk of chunks) {
      yield chunk
      total += chunk.length
      sent(total)
    }
    if (total < size) throw new Error('it became shorter meanwhile')
  }
  // A failure here also fails the request, unless the answer came first: that answer says why.
  pipeline(createReadStream(file, { end: Math.max(size - 1, 0) }), counted, request).catch(() => {})
  return answered
}

/**
 * PUTs a file of `size` bytes in constant memory. Bytes that are appended meanwhile are not sent. `sent` is called with the number of bytes
 * sent so far.
 * @throws UploadFailure
 */
export const putFile = async (url: string, file: string, size: number, sent: (bytes: number) => void): Promise<void> => {
  let status: number
  let body: string
  try {
    const answer = await put(url, file, size, sent)
    status = answer.statusCode ?? 0
    body = await text(answer)
  } catch (error) {
    throw new UploadFailure(`The file could not be sent: ${reasonOf(error)}.`)
  }
  if (status >= 300) throw new UploadFailure(`The file was not taken (${status}): ${toldBy(body) ?? 'no reason is given'}.`)
}
