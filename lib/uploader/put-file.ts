import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { request } from 'undici'
import { reasonOf, UploadFailure } from './failure.ts'

/** What S3 says in its XML. */
const toldBy = (xml: string): string | undefined => /<Message>([^<]*)<\/Message>/.exec(xml)?.[1] ?? /<Code>([^<]*)<\/Code>/.exec(xml)?.[1]

/**
 * PUTs the bytes of a file, `size` of them, in constant memory. `sent` hears how many have gone.
 * @throws UploadFailure
 */
export const putFile = async (url: string, file: string, size: number, sent: (bytes: number) => void): Promise<void> => {
  let total = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(file)) {
      yield chunk
      total += chunk.length
      sent(total)
    }
  }
  let status: number
  let text: string
  try {
    const headers = { 'content-length': `${size}` }
    const answer = await request(url, { method: 'PUT', headers, body: Readable.from(counted(), { objectMode: false }) })
    status = answer.statusCode
    text = await answer.body.text()
  } catch (error) {
    throw new UploadFailure(`The file could not be sent: ${reasonOf(error)}.`)
  }
  if (status >= 300) throw new UploadFailure(`The file was not taken (${status}): ${toldBy(text) ?? 'no reason is given'}.`)
}
