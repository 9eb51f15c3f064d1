import type { Key } from './key.ts'

/** Who asks: a user, or whoever comes to an ingestion URL without a token. */
export type Asker = number | `INGEST#${string}`
export const askerAt = (ingestionUrl: string): Asker => `INGEST#${ingestionUrl}`
export const idempotencyKey = (asker: Asker, sha256: string): Key => ({ pk: `IDEMPOTENCY#${asker}#${sha256}`, sk: 'IDEMPOTENCY' })
export const throttleKey = (asker: Asker): Key => ({ pk: `THROTTLE#${asker}`, sk: 'THROTTLE' })
