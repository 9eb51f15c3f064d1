import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { OpsMistake } from './refusal.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @throws OpsMistake when there is no such folder */
export const existingFolder = (path: string, option: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return path
  if (found) throw new OpsMistake(`${option}: ${resolve(path)} is not a folder. Name another one.`)
  throw new OpsMistake(`${option}: there is no folder ${resolve(path)}. Create it, or name another one.`)
}

/**
 * Runs `use` with a new folder for temporary files, and removes it afterwards, also when the process is interrupted.
 * @param parent default: the system's folder for temporary files
 * @param name beginning of the folder's name
 * @throws OpsMistake when the parent is not a folder
 */
export const withTemporaryFolder = async <T>(parent: string | undefined, name: string, use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(existingFolder(parent ?? tmpdir(), '--scratch'), name))
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
    return await use(folder)
  } finally {
    release()
    remove()
  }
}
