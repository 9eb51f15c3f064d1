import { randomBytes } from 'node:crypto'
import type { Instant } from '../platform/values/values.ts'

/**
 * Places that were taken together and may not be used yet. They are an attribute of the item that counts the places, written
 * with the taking: whoever reads the list knows what may not stand there, also when the taker has died.
 */
export interface OpenPositions {
  /** The attribute. */
  readonly name: string
  readonly taken: Instant
  readonly first: number
  readonly count: number
}

const NAME = /^open:([0-9a-z]+):(\d+):[\w-]+$/

/** A name that no other taking has. */
export const openName = (taken: Instant, count: number): string =>
  `open:${taken.toString(36)}:${count}:${randomBytes(3).toString('base64url')}`

/** @returns undefined when the attribute is another one. */
export const parseOpen = (name: string, first: unknown): OpenPositions | undefined => {
  const [, taken, count] = NAME.exec(name) ?? []
  return taken && count ? { name, taken: Number.parseInt(taken, 36), first: Number(first), count: Number(count) } : undefined
}

export const positionsOf = ({ first, count }: OpenPositions): number[] => Array.from({ length: count }, (_, index) => first + index)

const isIn = ({ first, count }: OpenPositions, position: number): boolean => position >= first && position < first + count

interface Taking {
  readonly open: OpenPositions
  readonly unsettled: Set<number>
}

/** What this sandbox took: by owner, what is not settled, and the names of what is. */
const takings = new Map<number, Taking[]>()
const settled = new Map<number, string[]>()

export const rememberTaking = (owner: number, open: OpenPositions): void => {
  takings.set(owner, [...(takings.get(owner) ?? []), { open, unsettled: new Set(positionsOf(open)) }])
}

/** A place has come to its end: a lead stands there, or it is recorded as a hole. Costs nothing: the next taking says so. */
export const settlePosition = (owner: number, position: number): void => {
  const all = takings.get(owner) ?? []
  const taking = all.find(({ open }) => isIn(open, position))
  if (!taking?.unsettled.delete(position) || taking.unsettled.size > 0) return
  const rest = all.filter((other) => other !== taking)
  if (rest.length > 0) takings.set(owner, rest)
  else takings.delete(owner)
  settled.set(owner, [...(settled.get(owner) ?? []), taking.open.name])
}

/** Up to `limit` names of takings that are settled; to be given back when they could not be removed. */
export const settledTakings = (owner: number, limit: number): string[] => {
  const names = settled.get(owner) ?? []
  if (names.length > limit) settled.set(owner, names.slice(limit))
  else settled.delete(owner)
  return names.slice(0, limit)
}

export const giveBackSettled = (owner: number, names: readonly string[]): void => {
  if (names.length > 0) settled.set(owner, [...names, ...(settled.get(owner) ?? [])])
}
