import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** Bytes that are read at once. */
const CHUNK = 64 * 1024

/** Reads a file of lines from front to back, a chunk at a time. Synchronous: a merge takes a line every microsecond. */
export class RunFile {
  readonly #file: number
  readonly #decoder = new StringDecoder('utf8')
  readonly #chunk = Buffer.allocUnsafe(CHUNK)
  #lines: string[] = []
  #at = 0
  #rest = ''
  #isAtEnd = false
  /** The current line; undefined after the last. */
  head: string | undefined

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.next()
  }

  next(): void {
    while (this.#at === this.#lines.length && !this.#isAtEnd) this.#read()
    this.head = this.#lines[this.#at++]
  }

  #read(): void {
    const count = readSync(this.#file, this.#chunk)
    this.#isAtEnd = count === 0
    const lines = (this.#rest + this.#decoder.write(this.#chunk.subarray(0, count))).split('\n')
    // The last line may continue in the next chunk. At the end of the file it is empty, or lacks its line end.
    this.#rest = lines.pop() ?? ''
    if (this.#isAtEnd && this.#rest !== '') lines.push(this.#rest)
    this.#lines = lines
    this.#at = 0
  }

  close(): void {
    closeSync(this.#file)
  }
}
