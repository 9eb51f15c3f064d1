import { randomUUID } from 'node:crypto'
import type * as v from 'valibot'
import { handler as create } from '#functions/ingest-lead/create.ts'
import { handler as upsert } from '#functions/ingest-lead/upsert.ts'
import type { IngestionUrl } from '#shared/ingestion/ingestion.ts'
import { saveIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import { type Answer, send } from './api-event.ts'
import { KEY, OWNER } from './world.ts'

const MAPPING: v.InferInput<typeof IngestionUrl>['mapping'] = [
  { to: 'external_id', from: 'ref' },
  { to: 'phone_number', from: ['contact.phone', 'contact.mobile'] },
  { to: 'email', from: 'contact.email' },
  { to: 'us_state', from: 'state', transforms: ['upper'] },
  { to: 'call_dnc', from: 'stop', transforms: ['boolean'] },
  { to: 'metadata.first_name', from: 'contact.name' },
]

/** Creates an ingestion URL. @returns its id */
export const newUrl = async (changes: Partial<v.InferInput<typeof IngestionUrl>> = {}): Promise<string> => {
  const id = randomUUID()
  await saveIngestionUrl({ id, owner: OWNER, mapping: MAPPING, ...changes })
  return id
}

interface Sending {
  /** Null: no header. Default: the first user's. */
  readonly authorization?: string | null
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Posts to an ingestion URL. A `body` of type string is sent unchanged. */
export const ingest = (
  action: 'create' | 'upsert',
  id: string,
  body: unknown,
  { authorization = `Token ${KEY}`, type = 'application/json', headers = {} }: Sending = {},
): Promise<Answer> =>
  send(action === 'create' ? create : upsert, {
    path: `/api/ingest-lead/${id}/${action === 'create' ? '' : 'upsert/'}`,
    params: { id },
    headers: { 'Content-Type': type, ...(authorization !== null && { Authorization: authorization }), ...headers },
    body: typeof body === 'string' ? Buffer.from(body) : body,
  })
