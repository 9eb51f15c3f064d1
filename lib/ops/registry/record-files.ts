import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes that a file collects before they are written. */
const BUFFERED = 16 * 1024

interface Open {
  readonly file: number
  readonly buffer: Buffer
  used: number
}

/** Records of one width, sorted into files by a number. Memory holds a small buffer of each file. */
export class RecordFiles {
  readonly #folder: string
  readonly #width: number
  readonly #open = new Map<number, Open>()

  constructor(folder: string, width: number) {
    this.#folder = folder
    this.#width = width
  }

  #pathOf(number: number): string {
    return join(this.#folder, `${number}`)
  }

  #opened(number: number): Open {
    const found = this.#open.get(number)
    if (found) return found
    const size = Math.floor(BUFFERED / this.#width) * this.#width
    const opened = { file: openSync(this.#pathOf(number), 'a'), buffer: Buffer.allocUnsafe(size), used: 0 }
    this.#open.set(number, opened)
    return opened
  }

  /** Appends a record to a file. @param fill writes the record into the bytes that it gets */
  add(number: number, fill: (record: Buffer) => void): void {
    const opened = this.#opened(number)
    fill(opened.buffer.subarray(opened.used, opened.used + this.#width))
    opened.used += this.#width
    if (opened.used === opened.buffer.length) this.#flush(opened)
  }

  #flush(opened: Open): void {
    let written = 0
    while (written < opened.used) written += writeSync(opened.file, opened.buffer, written, opened.used - written)
    opened.used = 0
  }

  /** Writes the rest of all records. */
  close(): void {
    for (const opened of this.#open.values()) {
      this.#flush(opened)
      closeSync(opened.file)
    }
  }

  /** The records of one file, in the order in which they were added. */
  *records(number: number): Generator<Buffer> {
    if (!this.#open.has(number)) return
    const bytes = readFileSync(this.#pathOf(number))
    for (let at = 0; at < bytes.length; at += this.#width) yield bytes.subarray(at, at + this.#width)
  }
}
