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
const toldBy = (body: unknown): string | undefined => {
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
      throw new UploadFailure(`The service answers ${answer.status}: ${toldBy(json) ?? answer.statusText}`, mayPass ? wait : undefined)
    }
    const result = v.safeParse(schema, json)
    if (!result.success) throw new UploadFailure(`What answers at ${url} is not the lead outreach service.`)
    return result.output
  }
  return {
    createUpload: (source: string, filename: string) =>
      ask(v.object(UploadUrlResponse.entries), '/api/ingestion/upload/', { source, filename }),
    getUpload: (id: string) => ask(Shown, `/api/ingestion/uploads/${id}/`),
  }
}
