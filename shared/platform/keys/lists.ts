import type { Instant, LeadStatus } from '../values/values.ts'
import { keyPart } from './key.ts'

/**
 * Number of partitions of the change index for an owner's leads of one type and status. Each call moves its lead a few times. At 500 calls
 * a second, a partition then takes half of the writes that DynamoDB allows.
 */
export const CHANGE_SHARDS = 8

/** Leads in one partition of the change index. */
export interface ChangeList {
  readonly owner: number
  readonly leadType: number | null
  readonly status: LeadStatus
  readonly shard: number
}

export const changeShard = (lead: number): number => lead % CHANGE_SHARDS

/** Partition of the change index. */
export const changeListKey = ({ owner, leadType, status, shard }: ChangeList): string =>
  `CHANGES#${owner}#${leadType ?? '-'}#${status}#${shard}`

/** The largest id has six digits. Not decimal: an erasure must never take an id for a phone number. */
const ID_DIGITS = 6
const ID_BASE = 36

/** Ids in sort keys of the change index are from 0 to this. */
export const LAST_CHANGED_ID = ID_BASE ** ID_DIGITS - 1

/** Sort key of the change index. Sorts by the time of the change, then by id. */
export const changedAt = (modified: Instant, lead: number): string =>
  `${new Date(modified).toISOString()}#${lead.toString(ID_BASE).padStart(ID_DIGITS, '0')}`

const CHANGED_AT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)#[0-9a-z]{6}$/

/** @throws Error when the text is not a sort key of the change index */
export const parseChangedAt = (text: string): { readonly modified: Instant; readonly lead: number } => {
  const modified = Date.parse(keyPart(text, CHANGED_AT, 'a change'))
  if (Number.isNaN(modified)) throw new Error(`Not the key of a change: ${text}`)
  return { modified, lead: Number.parseInt(text.slice(-ID_DIGITS), ID_BASE) }
}
