import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive, nameOfProcess, PROCESS_NAME } from '../processes/process-name.ts'
import { StartFailure, systemErrorCode } from './engine.ts'

interface Directory {
  /** Absolute path. */
  readonly path: string
  release(): unknown
}

/** Other users of this machine must not read phone numbers and secrets. */
const OWN = { mode: 0o700 }

const MOST_TRIES = 8
const PAUSE_MS = 25

const CLAIM = new RegExp(`^service-(${PROCESS_NAME})\\.lock$`)
const claimOf = (processName: string): string => `service-${processName}.lock`

/**
 * Claims a directory for this service alone.
 * @returns its absolute path, and a function that gives it back
 * @throws StartFailure when it is not writable, or another living service holds it
 */
export const takeDataDirectory = async (directory: string): Promise<Directory> => {
  const path = resolve(directory)
  try {
    await makeDirectory(path)
    await claimAlone(path)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === undefined) throw error
    throw new StartFailure(
      `The data directory ${path} cannot be written (${code}); name another one with --data, or keep nothing with --memory.`,
    )
  }
  return { path, release: () => rmSync(ownClaim(path), { force: true }) }
}

/** Replaces Node's `recursive`, which loops for ever when the system reports ENOENT although the parent exists, as below /proc. */
const makeDirectory = async (path: string): Promise<void> => {
  try {
    await mkdir(path, OWN)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    await makeDirectory(dirname(path))
    await mkdir(path, OWN)
  }
}

const ownClaim = (path: string): string => join(path, claimOf(nameOfProcess(process.pid)))

/**
 * Writes its own claim first, and then looks for other claims: of two simultaneous starts, at least one sees the other. The name of a claim
 * holds the process name, so nobody removes another's claim by mistake. A service that sees another withdraws. It tries again, since the
 * other may have withdrawn too.
 */
const claimAlone = async (path: string): Promise<void> => {
  for (let tries = 1; ; tries++) {
    await writeFile(ownClaim(path), '')
    const holder = await findHolder(path)
    if (holder === undefined) return
    rmSync(ownClaim(path), { force: true })
    if (tries === MOST_TRIES) {
      const [pid] = holder.split('-')
      throw new StartFailure(
        `Another service (process ${pid}) already runs on the data directory ${path}; stop it, or name another directory with --data.`,
      )
    }
    await pause(Math.random() * PAUSE_MS * tries)
  }
}

/** The name of another living process that claims the directory. Removes claims of dead processes. */
const findHolder = async (path: string): Promise<string | undefined> => {
  const claims = (await readdir(path)).flatMap((file) => CLAIM.exec(file)?.[1] ?? [])
  const others = claims.filter((name) => name !== nameOfProcess(process.pid))
  for (const dead of others.filter((name) => !isAlive(name))) await rm(join(path, claimOf(dead)), { force: true })
  return others.find(isAlive)
}

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
