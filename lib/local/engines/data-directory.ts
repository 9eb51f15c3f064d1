import { readFileSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { StartFailure, systemErrorCode } from './start-failure.ts'

const lockFile = v.pipe(v.string(), v.parseJson(), v.object({ pid: v.number(), started: v.nullable(v.string()) }))

export interface Directory {
  /** Absolute. */
  readonly path: string
  release(): unknown
}

/** A directory that is gone after its release. */
export const takeTemporaryDirectory = async (): Promise<Directory> => {
  const path = await mkdtemp(join(tmpdir(), 'lead-outreach-'))
  return { path, release: () => rm(path, { recursive: true, force: true }) }
}

/**
 * Takes a directory for one service at a time.
 * @returns its absolute path, and how to give it back
 * @throws StartFailure when it cannot be written, or another service that is alive holds it
 */
export const takeDataDirectory = async (directory: string): Promise<Directory> => {
  const path = resolve(directory)
  const lock = join(path, 'service.lock')
  const own = JSON.stringify({ pid: process.pid, started: startOf(process.pid) })
  try {
    await makeDirectory(path)
    await writeUnlessHeld(lock, own, path)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === undefined) throw error
    throw new StartFailure(
      `The data directory ${path} cannot be written (${code}); name another one with --data, or keep nothing with --memory.`,
    )
  }
  return { path, release: () => rmSync(lock, { force: true }) }
}

/** Node's own `recursive` tries for ever where the system says that a directory is not there although its parent is, as below /proc. */
const makeDirectory = async (path: string): Promise<void> => {
  try {
    await mkdir(path)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    await makeDirectory(dirname(path))
    await mkdir(path)
  }
}

const writeUnlessHeld = async (lock: string, own: string, path: string): Promise<void> => {
  try {
    await writeFile(lock, own, { flag: 'wx' })
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
    const holder = v.safeParse(lockFile, await readFile(lock, 'utf8'))
    if (holder.success && isAlive(holder.output.pid, holder.output.started)) {
      throw new StartFailure(
        `Another service (process ${holder.output.pid}) already runs on the data directory ${path}; stop it, or name another directory with --data.`,
      )
    }
    await unlink(lock)
    await writeFile(lock, own, { flag: 'wx' })
  }
}

const isAlive = (pid: number, started: string | null): boolean => {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return systemErrorCode(error) === 'EPERM'
  }
  return startOf(pid) === started
}

/**
 * When a process began, as the system counts it: a process id alone may since have gone to another. A process that has ended and
 * was not yet buried began never. Null where the system does not tell.
 */
const startOf = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the command, which is in brackets and may hold anything: the state, and 19 fields on the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? null)
  } catch {
    return null
  }
}
