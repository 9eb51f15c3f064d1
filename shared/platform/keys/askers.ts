import type { Key } from './key.ts'

/** Who asks: a user, or whoever comes to an ingestion URL without a token. */
export type Asker = number | `INGEST#${string}`
export const askerAt = (ingestionUrl: string): Asker => `INGEST#${ingestionUrl}`
export const idempotencyKey = (asker: Asker, sha256: string): Key => ({ pk: `IDEMPOTENCY#${asker}#${sha256}`, sk: 'IDEMPOTENCY' })
/** The ingestion URL at which a request was asked without a token. @returns undefined when a user asked, or it is no such key */
export const parseAskedAt = (pk: string): string | undefined => /^IDEMPOTENCY#INGEST#([^#]+)#/.exec(pk)?.[1]

export const throttleKey = (asker: Asker): Key => ({ pk: `THROTTLE#${asker}`, sk: 'THROTTLE' })
/** Which of a user's bulk requests are running; in the partition that every function may write that clients ask. */
export const bulkSlotsKey = (user: number): Key => ({ pk: `THROTTLE#${user}`, sk: 'BULK' })
