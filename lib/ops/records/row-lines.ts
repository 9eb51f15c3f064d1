import * as v from 'valibot'
import type { SortedLines } from '../check/lines/sorted-lines.ts'
import { csvLine } from './csv.ts'
import type { RecordRow } from './rows.ts'

const StoredCells = v.pipe(v.string(), v.parseJson(), v.array(v.union([v.string(), v.number(), v.boolean(), v.null()])))

const TIME = '2026-11-20T16:00:00.000Z'.length

/** Sorts rows by time, in bounded memory. Rows of one time have an order too, so that the same rows make the same file. */
export class RowLines {
  readonly #lines: SortedLines

  constructor(lines: SortedLines) {
    this.#lines = lines
  }

  add({ time, cells }: RecordRow): void {
    this.#lines.add(`${new Date(time).toISOString()}${JSON.stringify(cells)}`)
  }

  /** The CSV text, a line at a time. A row that was added twice appears once. @param onRow is called after each row */
  async csv(columns: readonly string[], onRow: () => void): Promise<Iterable<string>> {
    const lines = await this.#lines.sorted()
    return (function* () {
      yield csvLine(columns)
      let last: string | undefined
      for (const line of lines) {
        if (line === last) continue
        last = line
        yield csvLine(v.parse(StoredCells, line.slice(TIME)))
        onRow()
      }
    })()
  }

  remove(): void {
    this.#lines.remove()
  }
}
