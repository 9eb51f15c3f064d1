import type { Key } from './key.ts'

/** Who sends a request: a user, or an ingestion URL that needs no token. */
export type Asker = number | `INGEST#${string}`
export const askerAt = (ingestionUrl: string): Asker => `INGEST#${ingestionUrl}`
export const idempotencyKey = (asker: Asker, sha256: string): Key => ({ pk: `IDEMPOTENCY#${asker}#${sha256}`, sk: 'IDEMPOTENCY' })
/** The ingestion URL of a request without a token. @returns undefined for a user's request, and for other keys */
export const parseAskedAt = (pk: string): string | undefined => /^IDEMPOTENCY#INGEST#([^#]+)#/.exec(pk)?.[1]

export const throttleKey = (asker: Asker): Key => ({ pk: `THROTTLE#${asker}`, sk: 'THROTTLE' })
/** A user's running bulk requests. In the `THROTTLE` partition, which every function with client requests may write. */
export const bulkSlotsKey = (user: number): Key => ({ pk: `THROTTLE#${user}`, sk: 'BULK' })
