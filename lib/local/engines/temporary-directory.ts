import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Directory, takeDataDirectory } from './data-directory.ts'
import { isAlive, nameOfProcess, PROCESS_NAME } from './process-name.ts'

/** Holds the host name, because containers may share the folder without seeing each other's processes. */
const PREFIX = `lead-outreach-${hostname()}-`
const MADE_BY = new RegExp(`^(${PROCESS_NAME})-`)

/** Makes a directory that its release removes. Also removes directories of services that were killed. */
export const takeTemporaryDirectory = async (parent: string = tmpdir()): Promise<Directory> => {
  await sweep(parent)
  const path = await mkdtemp(join(parent, `${PREFIX}${nameOfProcess(process.pid)}-`))
  // Runs on every exit of the process except a kill, also after an aborted start that still wrote files.
  process.once('exit', () => removeNow(path))
  // The operator's tool may use it as a data directory. The claim keeps other services out of it.
  await takeDataDirectory(path)
  return { path, release: () => rm(path, { recursive: true, force: true }) }
}

const removeNow = (path: string): void => {
  try {
    // A process that is stopping may still write, so try several times.
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    // The next start removes it.
  }
}

const sweep = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    const maker = name.startsWith(PREFIX) ? MADE_BY.exec(name.slice(PREFIX.length))?.[1] : undefined
    if (maker === undefined || isAlive(maker)) continue
    // Directories of other users cannot be removed, and are not ours.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}
