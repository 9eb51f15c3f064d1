import { createHash } from 'node:crypto'

interface Owned {
  readonly userId: number
  readonly leadTypeId: number
}

/** Maps lead fields and metadata keys to columns. */
const COLUMN_MAPPING = [
  { to: 'external_id', from: 'Lead ID' },
  { to: 'metadata.first_name', from: 'First Name' },
  { to: 'metadata.last_name', from: 'Last Name' },
  { to: 'phone_number', from: 'Phone' },
  { to: 'email', from: 'Email' },
  { to: 'us_state', from: 'State', transforms: ['trim' as const, 'upper' as const] },
  { to: 'metadata.zip', from: 'Zip' },
  { to: 'lead_source', from: 'Source' },
]

/** The upload source of the first user. */
export const demoSource = ({ userId, leadTypeId }: Owned) => ({
  owner: userId,
  name: 'demo',
  lead_type: leadTypeId,
  mode: 'upsert' as const,
  lookup_column: 'Lead ID',
  mapping: COLUMN_MAPPING,
})

/** Limits of the URL without a token, far above the defaults of such a URL. */
const THROTTLE = { sustained_per_day: 1_000_000, burst_per_minute: 3000 }

/** Maps lead fields and metadata keys to paths of `{"ref", "contact", "address", "utm"}`. */
const PATH_MAPPING = [
  { to: 'external_id', from: 'ref' },
  { to: 'phone_number', from: 'contact.phone' },
  { to: 'email', from: 'contact.email' },
  { to: 'us_state', from: 'address.state', transforms: ['trim' as const, 'upper' as const] },
  { to: 'metadata.first_name', from: 'contact.name.first' },
  { to: 'metadata.last_name', from: 'contact.name.last' },
  { to: 'metadata.zip', from: 'address.zip' },
  { to: 'metadata.utm', from: 'utm' },
]

/** A UUID that depends only on the key and the name, and does not reveal the key. */
const uuidOf = (key: string, name: string): string => {
  const hash = createHash('sha256').update(`${name} ${key}`).digest('hex')
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

export interface DemoIngestion {
  /** Ids of two ingestion URLs: one requires its owner's token, the other does not. */
  readonly ingestId: string
  readonly openIngestId: string
}

export const demoIngestion = (apiKey: string): DemoIngestion => ({
  ingestId: uuidOf(apiKey, 'ingestion URL'),
  openIngestId: uuidOf(apiKey, 'ingestion URL without a token'),
})

export const demoUrls = ({ ingestId, openIngestId }: DemoIngestion, { userId, leadTypeId }: Owned) => {
  const both = { owner: userId, lead_type: leadTypeId, mapping: PATH_MAPPING }
  return [
    { ...both, id: ingestId },
    { ...both, id: openIngestId, token_required: false, throttle: THROTTLE },
  ]
}
