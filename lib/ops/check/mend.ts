import { retryRaces } from '#shared/storage/retry-races.ts'
import { OpsRefusal } from '../refusal.ts'
import { lookAt } from './check.ts'
import type { Suspect } from './kind.ts'
import { KINDS } from './kinds.ts'

/** `sound`: nothing is wrong there, by now. */
export interface Mended extends Suspect {
  readonly outcome: 'mended' | 'shown' | 'sound' | 'not mendable'
  readonly message: string
}

const TRIES = 5

/**
 * Mends damage at one place, if there is any at this moment: by writes that hold only while all is as it was looked at.
 * @param dryRun only looks
 * @throws OpsRefusal when there is no such kind or place, or it changes again and again
 */
export const mendAt = async ({ kind, where }: Suspect, dryRun: boolean): Promise<Mended> => {
  if (!KINDS.some((known) => known.kind === kind)) {
    throw new OpsRefusal(`${kind} is no kind of damage. See: npm run ops -- mend --help`)
  }
  const attempt = async (): Promise<Mended | undefined> => {
    const damage = await lookAt({ kind, where })
    if (!damage) return { kind, where, outcome: 'sound', message: 'Nothing is wrong there.' }
    const { message, remedy, mend } = damage
    if (!mend) return { kind, where, outcome: 'not mendable', message }
    if (dryRun) return { kind, where, outcome: 'shown', message: `Would ${remedy}: ${message}` }
    return (await mend()) ? { kind, where, outcome: 'mended', message: `Mended: ${remedy}.` } : undefined
  }
  return retryRaces({ tries: TRIES, lost: `${kind} ${where} changed while it was being mended,` }, attempt)
}
