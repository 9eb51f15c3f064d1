import { randomBytes } from 'node:crypto'
import type { Instant } from '../platform/values/values.ts'

/**
 * Positions that were taken together and may still be empty. They are an attribute of the owner's position counter. The attribute is
 * written in the same update as the taking. Every reader of the list sees which positions may be empty, even when the taker has crashed.
 */
export interface OpenPositions {
  /** Name of the attribute of the owner's list that holds them. */
  readonly name: string
  readonly taken: Instant
  readonly first: number
  readonly count: number
}

const NAME = /^open:([0-9a-z]+):(\d+):[\w-]+$/

/** A unique name for one taking. */
export const openName = (taken: Instant, count: number): string =>
  `open:${taken.toString(36)}:${count}:${randomBytes(3).toString('base64url')}`

/** @returns undefined when the attribute is not a taking. */
export const parseOpen = (name: string, first: unknown): OpenPositions | undefined => {
  const [, taken, count] = NAME.exec(name) ?? []
  return taken && count ? { name, taken: Number.parseInt(taken, 36), first: Number(first), count: Number(count) } : undefined
}

export const positionsOf = ({ first, count }: OpenPositions): number[] => Array.from({ length: count }, (_, index) => first + index)

const isIn = ({ first, count }: OpenPositions, position: number): boolean => position >= first && position < first + count

interface Taking {
  readonly open: OpenPositions
  readonly stillOpen: Set<number>
}

/** The takings of this sandbox by owner: those with open positions, and the names of the closed ones. */
const byOwner = new Map<number, Taking[]>()
const closed = new Map<number, string[]>()

export const rememberTaking = (owner: number, open: OpenPositions): void => {
  byOwner.set(owner, [...(byOwner.get(owner) ?? []), { open, stillOpen: new Set(positionsOf(open)) }])
}

/** Marks a position as final: it has a lead, or is recorded as a hole. Writes nothing itself: the next taking removes the attribute. */
export const closePosition = (owner: number, position: number): void => {
  const all = byOwner.get(owner) ?? []
  const batch = all.find(({ open }) => isIn(open, position))
  if (!batch?.stillOpen.delete(position) || batch.stillOpen.size > 0) return
  const rest = all.filter((other) => other !== batch)
  if (rest.length > 0) byOwner.set(owner, rest)
  else byOwner.delete(owner)
  closed.set(owner, [...(closed.get(owner) ?? []), batch.open.name])
}

/** Removes and returns up to `limit` names of closed takings. Give them back when the table update fails. */
export const closedTakings = (owner: number, limit: number): string[] => {
  const names = closed.get(owner) ?? []
  if (names.length > limit) closed.set(owner, names.slice(limit))
  else closed.delete(owner)
  return names.slice(0, limit)
}

export const giveBackClosed = (owner: number, names: readonly string[]): void => {
  if (names.length > 0) closed.set(owner, [...names, ...(closed.get(owner) ?? [])])
}
