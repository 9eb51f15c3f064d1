import { hash } from 'node:crypto'
import * as v from 'valibot'

/** Records are lines that meet when they are sorted: each begins with what it has in common with its counterparts. */

const BASE = 36

/** Digits of a whole number from 0, after their count. Such texts sort as their numbers do, and need no separator. */
export const ordered = (number: number): string => {
  const digits = number.toString(BASE)
  return `${digits.length.toString(BASE)}${digits}`
}

/** Characters of a fingerprint: 48 bits. */
const FINGERPRINT = 8

/** Stands for a longer value. */
export const fingerprint = (value: string): string => hash('sha1', value, 'base64url').slice(0, FINGERPRINT)

/** A text without line feeds and other control characters. */
export const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

const Escaped = v.pipe(
  v.string(),
  v.transform((text) => `"${text}"`),
  v.parseJson(),
  v.string(),
)

/** Reads a record from left to right. */
export class RecordParts {
  readonly #line: string
  #at: number

  constructor(line: string, at = 0) {
    this.#line = line
    this.#at = at
  }

  text(length: number): string {
    this.#at += length
    return this.#line.slice(this.#at - length, this.#at)
  }

  /** A number that `ordered` wrote. */
  number(): number {
    return Number.parseInt(this.text(Number.parseInt(this.text(1), BASE)), BASE)
  }

  fingerprint(): string {
    return this.text(FINGERPRINT)
  }

  rest(): string {
    return this.#line.slice(this.#at)
  }

  /** The rest, which `escaped` wrote. */
  escapedRest(): string {
    return v.parse(Escaped, this.rest())
  }
}
