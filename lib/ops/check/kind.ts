import { OpsMistake } from '../refusal.ts'
import type { LeadPositions } from './lead-positions.ts'

/** Something of the table that contradicts itself, as it was looked at. */
export interface Damage {
  /** What is wrong, and for whom that matters: a sentence or two. */
  readonly message: string
  /** What mending it does, in the infinitive: `give it its place`. */
  readonly remedy: string
  /**
   * Undefined: no command can.
   * @param table what is certain of places of lists
   * @returns false when it is not any more as it was looked at: nothing was written
   */
  readonly mend: ((table: LeadPositions) => Promise<boolean>) | undefined
}

/** A kind of damage. */
export interface DamageKind {
  readonly kind: string
  /** What it is found at, for help: `LEAD`. */
  readonly at: string
  readonly about: string
  /**
   * Looks at one place, strongly consistent unless it says so.
   * @returns undefined when nothing is wrong
   * @throws OpsMistake when the text is no such place
   */
  look(where: string): Promise<Damage | undefined>
}

/** Where damage of a kind may be. */
export interface Suspect {
  readonly kind: string
  readonly where: string
}

/** Ids, and what stands behind them. @throws OpsMistake when there are not so many parts, one is no whole number, or the first is 0 */
export const numbersIn = (where: string, count: number, example: string): number[] => {
  const parts = where.split(/[/-]/)
  const numbers = parts.map(Number)
  const areWhole = parts.every((part) => /^\d+$/.test(part)) && numbers.every(Number.isSafeInteger)
  if (numbers.length === count && areWhole && numbers[0] !== 0) return numbers
  throw new OpsMistake(`${where} is no place of this kind of damage, such as ${example}.`)
}

/** @throws OpsMistake as `numbersIn` */
export const idIn = (where: string): number => numbersIn(where, 1, '4711')[0] ?? 0

/** What stands before and behind the first slash. @throws OpsMistake when there is none */
export const splitAt = (where: string, example: string): [string, string] => {
  const at = where.indexOf('/')
  if (at > 0) return [where.slice(0, at), where.slice(at + 1)]
  throw new OpsMistake(`${where} is no place of this kind of damage, such as ${example}.`)
}
