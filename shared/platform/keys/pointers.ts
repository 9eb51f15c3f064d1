import { type Key, keyPart } from './key.ts'

/** Finds a lead by a value. One item for each lead: no item is contended, and none grows too large. */
const pointerSk = (lead: number): string => `LEAD#${String(lead).padStart(10, '0')}`

export const emailPointerKey = (owner: number, email: string, lead: number): Key => ({
  pk: `EMAIL#${owner}#${email.toLowerCase()}`,
  sk: pointerSk(lead),
})

export const externalIdPointerKey = (owner: number, externalId: string, lead: number): Key => ({
  pk: `EXT#${owner}#${externalId}`,
  sk: pointerSk(lead),
})

/** @throws Error when the key is not a pointer's. */
export const parsePointerSk = (sk: string): number => Number(keyPart(sk, /^LEAD#0*([1-9]\d*)$/, 'a pointer'))

/** Coordinates upserts of one value. Stored beside the pointers, so that one read returns both. */
export const GUARD_SK = 'UPSERT'
