import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withTemporaryFolder } from '../../temporary-folder.ts'
import { SortedLines } from '../lines/sorted-lines.ts'

/** A folder of temporary files. */
export class Scratch {
  readonly #folder: string
  #made = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** New lines, with a folder of their own. */
  lines(): SortedLines {
    const folder = join(this.#folder, `${this.#made++}`)
    mkdirSync(folder)
    return new SortedLines({ folder })
  }
}

/** As `withTemporaryFolder`, for a check. */
export const withScratch = <T>(parent: string | undefined, use: (scratch: Scratch) => Promise<T>): Promise<T> =>
  withTemporaryFolder(parent, 'lead-outreach-check-', (folder) => use(new Scratch(folder)))
