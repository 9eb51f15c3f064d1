import { didYouMean } from '#shared/http/fields/nearest.ts'
import { retryRaces } from '#shared/platform/table/retry-races.ts'
import { OpsMistake } from '../refusal.ts'
import { type Checking, checkTable, damageAt } from './check.ts'
import type { DamageKind, Suspect } from './kind.ts'
import { ownersOfEmpty } from './kinds/position-empty.ts'
import { KINDS } from './kinds.ts'
import { LeadPositions } from './lead-positions.ts'

/** `sound`: nothing is wrong there any more. `refused`: the repair failed; `message` says why. */
export interface Repaired extends Suspect {
  readonly outcome: 'repaired' | 'shown' | 'sound' | 'not repairable' | 'refused'
  readonly message: string
}

const TRIES = 5

/** The positions of leads that repairs of these suspects need. */
export const positionsFor = (suspects: readonly Suspect[], note: Checking['note']): LeadPositions =>
  new LeadPositions({ owners: ownersOfEmpty(suspects), note })

/** @throws OpsMistake when there is no such kind */
export const kindNamed = (name: string): DamageKind => {
  const kind = KINDS.find((known) => known.kind === name)
  if (kind) return kind
  const hint = didYouMean(
    name,
    KINDS.map((known) => known.kind),
  )
  throw new OpsMistake(`${name} is not a kind of damage.${hint} See: npm run ops -- repair`)
}

/**
 * Repairs the damage at one location, if it is still there. A write succeeds only if the table is still as the check saw it.
 * @param dryRun only checks
 * @param leads made for this suspect, among others
 * @throws OpsMistake when there is no such kind or location; OpsRefusal when it cannot be repaired now
 * @throws Error when other writes came first in every try
 */
export const repairAt = async ({ kind, where }: Suspect, dryRun: boolean, leads: LeadPositions): Promise<Repaired> => {
  kindNamed(kind)
  const attempt = async (): Promise<Repaired | undefined> => {
    const damage = await damageAt({ kind, where })
    if (!damage) return { kind, where, outcome: 'sound', message: 'Nothing is wrong there.' }
    const { message, remedy, repair } = damage
    if (!repair) return { kind, where, outcome: 'not repairable', message }
    if (dryRun) return { kind, where, outcome: 'shown', message: `Would ${remedy}: ${message}` }
    return (await repair(leads)) ? { kind, where, outcome: 'repaired', message: `Repaired: ${remedy}.` } : undefined
  }
  return retryRaces({ tries: TRIES, lost: `${kind} ${where} changed while it was being repaired,` }, attempt)
}

/** A failed repair does not stop the others. */
const repairIfPossible = async (suspect: Suspect, dryRun: boolean, leads: LeadPositions): Promise<Repaired> => {
  try {
    return await repairAt(suspect, dryRun, leads)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: suspect.kind, where: suspect.where, outcome: 'refused', message }
  }
}

export const isStillDamaged = ({ outcome }: Repaired): boolean => outcome === 'not repairable' || outcome === 'refused'

/** Most rounds of check and repair. One repair may uncover damage that was hidden before. */
const ROUNDS = 5

interface AllRepaired {
  /** Each location once, with its last outcome. */
  readonly repaired: readonly Repaired[]
  readonly isSound: boolean
}

/** Checks and repairs until nothing is wrong, or nothing more can be repaired. A dry run checks once. */
export const repairAll = async (dryRun: boolean, checking: Checking): Promise<AllRepaired> => {
  const repaired = new Map<string, Repaired>()
  for (let round = 1; round <= ROUNDS; round++) {
    const { findings } = await checkTable(checking)
    if (findings.length === 0) return { repaired: [...repaired.values()], isSound: true }
    const leads = positionsFor(findings, checking.note)
    const done: Repaired[] = []
    for (const finding of findings) done.push(await repairIfPossible(finding, dryRun, leads))
    for (const each of done) repaired.set(`${each.kind} ${each.where}`, each)
    if (!done.some(({ outcome }) => outcome === 'repaired'))
      return { repaired: [...repaired.values()], isSound: !done.some(isStillDamaged) }
  }
  const { findings } = await checkTable(checking)
  return { repaired: [...repaired.values()], isSound: findings.length === 0 }
}
