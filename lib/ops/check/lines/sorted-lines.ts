import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { MOST_MERGED, mergedLines } from './merge.ts'

export interface LinesOptions {
  /** Folder of the temporary files, which nothing else uses. */
  readonly folder: string
  /** Bytes of lines that memory holds before they are written to a file. */
  readonly held?: number
  /** Files that are read at once. */
  readonly fan?: number
}

/** Long lines need more room, so this is not a limit for them. With `MOST_MERGED`, a merge of three levels sorts 40 terabytes. */
const HELD = 4 * 1024 * 1024
/** Lines between two pauses, in which signals are handled. */
const LINES_AT_ONCE = 50_000

/** Calls back for each line, and lets the process handle signals now and then. */
export const eachLine = async (lines: Iterable<string>, take: (line: string) => void): Promise<void> => {
  let count = 0
  for (const line of lines) {
    take(line)
    if (++count % LINES_AT_ONCE === 0) await breathe()
  }
}

/** Writes lines in portions. Each line ends with a line feed. */
export class LineWriter {
  readonly #file: number
  #lines: string[] = []
  #size = 0

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  write(line: string): void {
    this.#lines.push(line, '\n')
    this.#size += line.length
    if (this.#size > 64 * 1024) this.#flush()
  }

  #flush(): void {
    // Unlike `writeSync`, it does not stop after a part of the text, as on a disk that is almost full.
    writeFileSync(this.#file, this.#lines.join(''))
    this.#lines = []
    this.#size = 0
  }

  close(): void {
    this.#flush()
    closeSync(this.#file)
  }
}

/**
 * Sorts any number of lines in bounded memory: it sorts portions, writes each to a file, and merges the files. The lines may not contain
 * line feeds.
 */
export class SortedLines {
  readonly #options: Required<LinesOptions>
  /** Bytes, not strings: strings that live this long make the heap grow. */
  #buffer: Buffer
  #used = 0
  #files: string[] = []
  #made = 0

  constructor({ folder, held = HELD, fan = MOST_MERGED }: LinesOptions) {
    this.#options = { folder, held, fan }
    this.#buffer = Buffer.allocUnsafe(held)
  }

  add(line: string): void {
    const size = Buffer.byteLength(line) + 1
    if (this.#used + size > this.#buffer.length) this.#spill()
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(size)
    this.#used += this.#buffer.write(`${line}\n`, this.#used)
  }

  #newFile(): string {
    return join(this.#options.folder, `lines-${this.#made++}`)
  }

  #spill(): void {
    if (this.#used === 0) return
    const path = this.#newFile()
    const writer = new LineWriter(path)
    const lines = this.#buffer
      .toString('utf8', 0, this.#used - 1)
      .split('\n')
      .sort()
    for (const line of lines) writer.write(line)
    writer.close()
    this.#files.push(path)
    this.#used = 0
  }

  /** All lines in order. Add no more lines after this call. It may be called again. */
  async sorted(): Promise<Iterable<string>> {
    this.#spill()
    const { fan } = this.#options
    while (this.#files.length > fan) {
      const first = this.#files.splice(0, fan)
      const path = this.#newFile()
      const writer = new LineWriter(path)
      await eachLine(mergedLines(first), (line) => writer.write(line))
      writer.close()
      for (const file of first) rmSync(file)
      this.#files.push(path)
    }
    const files = this.#files
    return { [Symbol.iterator]: () => mergedLines(files) }
  }

  /** Removes the files, and so all lines. */
  remove(): void {
    for (const file of this.#files) rmSync(file)
    this.#files = []
    this.#used = 0
  }
}
