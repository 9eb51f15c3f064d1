import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Directory, takeDataDirectory } from './data-directory.ts'
import { isAlive, nameOfProcess, PROCESS_NAME } from './process-name.ts'

/** The machine is named because containers may share the folder, and not know of each other's processes. */
const PREFIX = `lead-outreach-${hostname()}-`
const MADE_BY = new RegExp(`^(${PROCESS_NAME})-`)

/** A directory that is gone after its release. Those of services that were killed go now. */
export const takeTemporaryDirectory = async (parent: string = tmpdir()): Promise<Directory> => {
  await sweep(parent)
  const path = await mkdtemp(join(parent, `${PREFIX}${nameOfProcess(process.pid)}-`))
  // However the process ends by itself, and whatever a start that was broken off still wrote.
  process.once('exit', () => removeNow(path))
  // The operator's tool is told of it as a data directory: no other service is to take it for its own.
  await takeDataDirectory(path)
  return { path, release: () => rm(path, { recursive: true, force: true }) }
}

const removeNow = (path: string): void => {
  try {
    // What has just been told to stop may still write: then there is one try more.
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    // The next start sweeps it away.
  }
}

const sweep = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    const maker = name.startsWith(PREFIX) ? MADE_BY.exec(name.slice(PREFIX.length))?.[1] : undefined
    if (maker === undefined || isAlive(maker)) continue
    // Another user's cannot be removed, and is none of ours.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}
