import { type Key, keyPart } from './key.ts'

/** A lead found by a value of it: one item for each, so that nothing is contended and nothing overflows. */
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

/** What upserts of one value tell each other by stands beside the pointers, so that one read shows both. */
export const GUARD_SK = 'UPSERT'
