import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../torture/mayhem.ts'
import type { Surroundings } from './surroundings.ts'
import { followUntil } from './uploads.ts'

interface Killing {
  readonly kills: number
  readonly seed: number
  readonly isHurried: boolean
  /** The upload that is being read, and the rows of its file. */
  readonly id: string
  readonly rows: number
  readonly signal: AbortSignal | undefined
  readonly print: (line: string) => void
}

/** After a kill, a moment later than any batch may take to be counted. */
const MOMENT_MS = 700
/** For longer nobody has a lease without using it. */
const LEASES_MS = 60_000

/**
 * Kills the functions' process at random moments while it reads a file: shortly after a random row is counted. Between two kills, somebody
 * has gone on. @returns how often
 */
export const killWhileItRuns = async (surroundings: Surroundings, killing: Killing): Promise<number> => {
  const { kills, seed, isHurried, id, rows, signal, print } = killing
  const random = randomFrom(seed)
  const goals = Array.from({ length: kills }, () => Math.floor(random() * rows * 0.9)).sort((a, b) => a - b)
  let done = 0
  let counted = -1
  for (const goal of goals) {
    const upload = await followUntil(surroundings.service, id, (now) => now.rows >= goal && now.rows > counted, signal)
    if (upload.status === 'done' || upload.status === 'failed') return done
    await sleep(random() * MOMENT_MS, undefined, signal && { signal })
    process.kill(await surroundings.functionsPid(), 'SIGKILL')
    done++
    counted = upload.rows
    print(`killed after ${counted} rows were counted`)
    if (isHurried) await surroundings.restartLater(LEASES_MS)
  }
  return done
}
