import { createReadStream } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { CallPreviewResponse } from '#shared/calling/api/preview.ts'
import { UploadResponse, UploadUrlResponse } from '#shared/uploads/api/upload.ts'
import { reasonOf, UploadFailure } from './failure.ts'
import { likelyCause } from './likely-cause.ts'

/** Accepts unknown fields: a newer service may send more. */
const Calls = v.object({ ...CallPreviewResponse.entries, skipped: v.array(v.object({ gate: v.string(), leads: v.number() })) })
const Shown = v.object({ ...UploadResponse.entries, preview: v.optional(v.nullable(Calls)) })
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

/** Characters of an answer that are shown. */
const MOST_SHOWN = 500

/** The beginning of an answer that is not a page. */
const textIn = (text: string): string | undefined =>
  text.trim() === '' || text.startsWith('<') ? undefined : text.trim().slice(0, MOST_SHOWN)

const adviceOn = (status: number, url: string): string => {
  if (status === 401) return ' The key comes from LEAD_OUTREACH_API_KEY or --key.'
  return status === 404 ? ` Check the address ${url}, and the id if you gave one.` : ''
}

interface Access {
  readonly url: string
  readonly key: string
}

const UPLOAD_PATH = '/api/ingestion/upload/'
/** The answer to a request without a source. After these words, it lists the sources of the key. */
const SOURCE_REQUIRED = 'This field is required.'
const NoSource = v.object({ source: v.tuple([v.pipe(v.string(), v.startsWith(SOURCE_REQUIRED))]) })

/** The requests to the service. All throw UploadFailure. */
export const serviceAt = ({ url, key }: Access) => {
  const ask = async <S extends v.GenericSchema>(
    schema: S,
    path: string,
    body?: unknown,
    isExpected = ({ ok }: Response): boolean => ok,
  ): Promise<v.InferOutput<S>> => {
    const headers = { authorization: `Token ${key}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    let answer: Response
    let text: string
    try {
      answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(LIMIT_MS), ...sent })
      text = await answer.text()
    } catch (error) {
      throw new UploadFailure(`The service at ${url} does not answer: ${reasonOf(error)}.${likelyCause(error, url)}`, RETRY_MS)
    }
    const json = jsonOf(text)
    if (!isExpected(answer)) {
      const mayPass = answer.status === 429 || answer.status >= 500
      const seconds = Number(answer.headers.get('retry-after'))
      const wait = seconds > 0 ? seconds * 1000 : RETRY_MS
      const reason = errorInBody(json) ?? textIn(text) ?? answer.statusText
      throw new UploadFailure(`The service answers ${answer.status}: ${reason}${adviceOn(answer.status, url)}`, mayPass ? wait : undefined)
    }
    const result = v.safeParse(schema, json)
    if (!result.success) throw new UploadFailure(`The server at ${url} is not the lead outreach service.`)
    return result.output
  }
  return {
    createUpload: async (source: string, filename: string, dryRun = false) => {
      const only = dryRun ? { dry_run: true } : {}
      const made = await ask(v.object(UploadUrlResponse.entries), UPLOAD_PATH, { source, filename, ...only })
      if (dryRun && !made.dry_run) throw new UploadFailure(`The service at ${url} is too old for dry runs. Nothing was sent.`)
      return made
    },
    /** A sentence that lists the sources of the key. An older service does not list them. */
    listSources: async (): Promise<string> => {
      const { source } = await ask(NoSource, UPLOAD_PATH, { filename: 'leads.csv' }, ({ status }) => status === 400)
      return source[0].slice(SOURCE_REQUIRED.length).trim() || 'The operator of the service knows its name.'
    },
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
    throw new UploadFailure(
      `The file could not be sent to ${new URL(url).host}: ${reasonOf(error)}. Send it again. If it had arrived after all, the second time changes nothing.`,
    )
  }
  if (status >= 300) throw new UploadFailure(`The bucket refused the file (${status}): ${errorInXml(body) ?? 'no reason given'}.`)
}

/** Downloads the report of an upload, chunk by chunk. @throws UploadFailure */
export async function* reportAt(url: string): AsyncGenerator<Uint8Array> {
  try {
    const answer = await fetch(url)
    if (!answer.ok) throw new UploadFailure(`The report cannot be downloaded: the bucket answers ${answer.status}.`)
    yield* answer.body ?? []
  } catch (error) {
    if (error instanceof UploadFailure) throw error
    throw new UploadFailure(`The report cannot be downloaded from ${new URL(url).host}: ${reasonOf(error)}.`)
  }
}
