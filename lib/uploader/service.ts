import { createReadStream } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { UploadResponse, UploadUrlResponse } from '#shared/uploads/api/upload.ts'
import { reasonOf, UploadFailure } from './failure.ts'

/** Accepts unknown fields: a newer service may send more. */
const Shown = v.object(UploadResponse.entries)
export type Shown = v.InferOutput<typeof Shown>

const Detail = v.object({ detail: v.string() })
const FieldErrors = v.record(v.string(), v.array(v.string()))

const LIMIT_MS = 30_000
const RETRY_MS = 2_000

/** The service's reason for refusing a request. */
const errorInBody = (body: unknown): string | undefined => {
  if (v.is(Detail, body)) return body.detail
  if (!v.is(FieldErrors, body)) return undefined
  return Object.entries(body)
    .map(([field, messages]) => `${field}: ${messages.join(' ')}`)
    .join('; ')
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Access {
  readonly url: string
  readonly key: string
}

/** The two requests to the service. Both throw UploadFailure. */
export const serviceAt = ({ url, key }: Access) => {
  const ask = async <S extends v.GenericSchema>(schema: S, path: string, body?: unknown): Promise<v.InferOutput<S>> => {
    const headers = { authorization: `Token ${key}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    let answer: Response
    let text: string
    try {
      answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(LIMIT_MS), ...sent })
      text = await answer.text()
    } catch (error) {
      throw new UploadFailure(`The service at ${url} does not answer: ${reasonOf(error)}.`, RETRY_MS)
    }
    const json = jsonOf(text)
    if (!answer.ok) {
      const mayPass = answer.status === 429 || answer.status >= 500
      const seconds = Number(answer.headers.get('retry-after'))
      const wait = seconds > 0 ? seconds * 1000 : RETRY_MS
      throw new UploadFailure(`The service answers ${answer.status}: ${errorInBody(json) ?? answer.statusText}`, mayPass ? wait : undefined)
    }
    const result = v.safeParse(schema, json)
    if (!result.success) throw new UploadFailure(`The server at ${url} is not the lead outreach service.`)
    return result.output
  }
  return {
    createUpload: (source: string, filename: string) =>
      ask(v.object(UploadUrlResponse.entries), '/api/ingestion/upload/', { source, filename }),
    getUpload: (id: string) => ask(Shown, `/api/ingestion/uploads/${id}/`),
  }
}

/** Longest silence during the upload, and before the answer. */
const SILENCE_MS = 120_000

/** The error text in S3's XML. */
const errorInXml = (xml: string): string | undefined =>
  /<Message>([^<]*)<\/Message>/.exec(xml)?.[1] ?? /<Code>([^<]*)<\/Code>/.exec(xml)?.[1]

const put = async (url: string, file: string, size: number, sent: (bytes: number) => void): Promise<IncomingMessage> => {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  // With its length: a bucket accepts no body in chunks.
  const request = send(url, { method: 'PUT', headers: { 'content-length': size } })
  request.setTimeout(SILENCE_MS, () => request.destroy(new Error('no data was transferred for two minutes')))
  const answered = new Promise<IncomingMessage>((resolve, reject) => void request.once('response', resolve).once('error', reject))
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    let total = 0
    for await (const chunk of chunks) {
      yield chunk
      total += chunk.length
      sent(total)
    }
    if (total < size) throw new Error('it became shorter during the upload')
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
  if (status >= 300) throw new UploadFailure(`The bucket refused the file (${status}): ${errorInXml(body) ?? 'no reason given'}.`)
}
