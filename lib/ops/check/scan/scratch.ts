import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { OpsMistake } from '../../refusal.ts'
import { SortedLines } from '../lines/sorted-lines.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

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

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** @throws OpsMistake when there is no such folder */
export const existingFolder = (path: string, option: string): string => {
  if (isFolder(path)) return path
  throw new OpsMistake(`${option}: there is no folder ${resolve(path)}. Create it, or name another one.`)
}

/**
 * Runs `use` with a new folder for temporary files, and removes it afterwards, also when the process is interrupted.
 * @param parent default: the system's folder for temporary files
 * @throws OpsMistake when the parent is not a folder
 */
export const withScratch = async <T>(parent: string | undefined, use: (scratch: Scratch) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(existingFolder(parent ?? tmpdir(), '--scratch'), 'lead-outreach-check-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const leave = (signal: NodeJS.Signals): void => {
    remove()
    release()
    process.kill(process.pid, signal)
  }
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, leave)
  }
  for (const signal of SIGNALS) process.once(signal, leave)
  try {
    return await use(new Scratch(folder))
  } finally {
    release()
    remove()
  }
}
