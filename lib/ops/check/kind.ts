import { OpsMistake } from '../refusal.ts'
import type { LeadPositions } from './lead-positions.ts'

/** A contradiction in the table, as the check found it. */
export interface Damage {
  /** The damage and whom it affects, in one or two sentences. */
  readonly message: string
  /** The repair, worded to follow `by`: `adding it to the due index`. */
  readonly remedy: string
  /**
   * Undefined: no command can repair it.
   * @param leads the leads at positions of lists, from a scan of the whole table
   * @returns false when the damage has changed since it was found. Then nothing was written.
   */
  readonly repair: ((leads: LeadPositions) => Promise<boolean>) | undefined
}

export interface DamageKind {
  readonly kind: string
  /** Form of a location, for help: `LEAD`. */
  readonly at: string
  readonly about: string
  /**
   * Checks one location, with strongly consistent reads unless it says otherwise.
   * @returns undefined when nothing is wrong
   * @throws OpsMistake when the text is not a location of this kind
   */
  look(where: string): Promise<Damage | undefined>
}

/** A location that may have damage of a kind. */
export interface Suspect {
  readonly kind: string
  readonly where: string
}

/**
 * The whole numbers in a location. The first is an id.
 * @throws OpsMistake when the count differs, a part is not a whole number, or the first is 0
 */
export const numbersIn = (where: string, count: number, example: string): number[] => {
  const parts = where.split(/[/-]/)
  const numbers = parts.map(Number)
  const areWhole = parts.every((part) => /^\d+$/.test(part)) && numbers.every(Number.isSafeInteger)
  if (numbers.length === count && areWhole && numbers[0] !== 0) return numbers
  throw new OpsMistake(`${where} is not a valid value for this kind of damage. Write a value such as ${example}.`)
}

/** @throws OpsMistake as `numbersIn` */
export const idIn = (where: string): number => numbersIn(where, 1, '4711')[0] ?? 0

/** The text before and after the first slash, or the slash at `at`. @throws OpsMistake when there is no slash */
export const splitAt = (where: string, example: string, at = where.indexOf('/')): [string, string] => {
  if (at > 0) return [where.slice(0, at), where.slice(at + 1)]
  throw new OpsMistake(`${where} is not a valid value for this kind of damage. Write a value such as ${example}.`)
}

/** The text before and after the last slash. @throws OpsMistake when there is no slash */
export const splitAtLast = (where: string, example: string): [string, string] => splitAt(where, example, where.lastIndexOf('/'))
