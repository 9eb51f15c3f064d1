import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../torture/mayhem.ts'
import type { Surroundings } from './surroundings.ts'
import { followUntil } from './uploads.ts'

interface Killing {
  readonly kills: number
  readonly seed: number
  readonly isHurried: boolean
  /** The upload in progress, and its file's number of rows. */
  readonly id: string
  readonly rows: number
  readonly signal: AbortSignal | undefined
  readonly print: (line: string) => void
}

/** Longest random pause from a counted row to the kill. Meant to be longer than one batch takes to be counted. */
const MOMENT_MS = 700
/** Longer than the lease of a killed worker lasts. */
const LEASES_MS = 60_000

/**
 * Kills the functions' process at random moments while it reads a file: shortly after a random row is counted. Before the next kill, more
 * rows must be counted.
 * @returns the number of kills
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
