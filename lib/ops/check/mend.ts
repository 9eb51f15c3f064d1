import { didYouMean } from '#shared/http/fields/nearest.ts'
import { retryRaces } from '#shared/platform/table/retry-races.ts'
import { OpsMistake } from '../refusal.ts'
import { type Checking, checkTable, lookAt } from './check.ts'
import type { DamageKind, Suspect } from './kind.ts'
import { ownersOfEmpty } from './kinds/position-empty.ts'
import { KINDS } from './kinds.ts'
import { LeadPositions } from './lead-positions.ts'

/** `sound`: nothing is wrong there any more. `refused`: the mend failed; `message` says why. */
export interface Mended extends Suspect {
  readonly outcome: 'mended' | 'shown' | 'sound' | 'not mendable' | 'refused'
  readonly message: string
}

const TRIES = 5

/** Positions of leads for the owners of these places. */
export const standingFor = (places: readonly Suspect[], note: Checking['note']): LeadPositions =>
  new LeadPositions({ owners: ownersOfEmpty(places), note })

/** @throws OpsMistake when there is no such kind */
export const kindNamed = (name: string): DamageKind => {
  const kind = KINDS.find((known) => known.kind === name)
  if (kind) return kind
  const hint = didYouMean(
    name,
    KINDS.map((known) => known.kind),
  )
  throw new OpsMistake(`${name} is not a kind of damage.${hint} See: npm run ops -- mend`)
}

/**
 * Mends the damage at one place, if it is still there. Each write holds only while the table is as the check saw it.
 * @param dryRun only checks
 * @param table made for this place, among others
 * @throws OpsMistake when there is no such kind or place; OpsRefusal when it cannot be mended now
 * @throws Error when the place loses every race
 */
export const mendAt = async ({ kind, where }: Suspect, dryRun: boolean, table: LeadPositions): Promise<Mended> => {
  kindNamed(kind)
  const attempt = async (): Promise<Mended | undefined> => {
    const damage = await lookAt({ kind, where })
    if (!damage) return { kind, where, outcome: 'sound', message: 'Nothing is wrong there.' }
    const { message, remedy, mend } = damage
    if (!mend) return { kind, where, outcome: 'not mendable', message }
    if (dryRun) return { kind, where, outcome: 'shown', message: `Would ${remedy}: ${message}` }
    return (await mend(table)) ? { kind, where, outcome: 'mended', message: `Fixed: ${remedy}.` } : undefined
  }
  return retryRaces({ tries: TRIES, lost: `${kind} ${where} changed while it was being fixed,` }, attempt)
}

/** A failure at one place does not stop the mends of the others. */
const mendIfPossible = async (place: Suspect, dryRun: boolean, table: LeadPositions): Promise<Mended> => {
  try {
    return await mendAt(place, dryRun, table)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: place.kind, where: place.where, outcome: 'refused', message }
  }
}

export const isStillDamaged = ({ outcome }: Mended): boolean => outcome === 'not mendable' || outcome === 'refused'

/** Most rounds of check and mend. One mend may uncover damage that was hidden before. */
const ROUNDS = 5

interface AllMended {
  /** Each place once, with its last outcome. */
  readonly mended: readonly Mended[]
  readonly isSound: boolean
}

/** Checks and mends until nothing is wrong, or nothing more can be mended. A dry run checks once. */
export const mendAll = async (dryRun: boolean, checking: Checking): Promise<AllMended> => {
  const mended = new Map<string, Mended>()
  for (let round = 1; round <= ROUNDS; round++) {
    const { findings } = await checkTable(checking)
    if (findings.length === 0) return { mended: [...mended.values()], isSound: true }
    const table = standingFor(findings, checking.note)
    const done: Mended[] = []
    for (const place of findings) done.push(await mendIfPossible(place, dryRun, table))
    for (const each of done) mended.set(`${each.kind} ${each.where}`, each)
    if (!done.some(({ outcome }) => outcome === 'mended')) return { mended: [...mended.values()], isSound: !done.some(isStillDamaged) }
  }
  const { findings } = await checkTable(checking)
  return { mended: [...mended.values()], isSound: findings.length === 0 }
}
