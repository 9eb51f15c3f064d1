import { didYouMean } from '#shared/http/fields/nearest.ts'
import { retryRaces } from '#shared/platform/table/retry-races.ts'
import { OpsMistake } from '../refusal.ts'
import { checkTable, type TableCheck } from './check.ts'
import { type Checking, damageAt, type Findings } from './confirm.ts'
import type { OwnedRange } from './joins/position-walk.ts'
import type { DamageKind, Suspect } from './kind.ts'
import { emptyRange } from './kinds/position-empty.ts'
import { KINDS } from './kinds.ts'
import { LeadPositions } from './lead-positions.ts'

/** `sound`: nothing is wrong there any more. `refused`: the repair failed; `message` says why. */
export interface Repaired extends Suspect {
  readonly outcome: 'repaired' | 'shown' | 'sound' | 'not repairable' | 'refused'
  readonly message: string
}

const TRIES = 5

function* emptyRanges(suspects: Iterable<Suspect>): Generator<OwnedRange> {
  for (const suspect of suspects) {
    const range = emptyRange(suspect)
    if (range) yield range
  }
}

/** The positions of leads that repairs of these suspects need. */
export const positionsFor = (suspects: Iterable<Suspect>, note: Checking['note']): LeadPositions =>
  new LeadPositions({ ranges: emptyRanges(suspects), note })

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
    if (dryRun) return { kind, where, outcome: 'shown', message: `Would repair it by ${remedy}: ${message}` }
    return (await repair(leads)) ? { kind, where, outcome: 'repaired', message: `Repaired by ${remedy}.` } : undefined
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

/** Most locations that are reported one by one. */
const MOST_REPORTED = 10_000

interface AllRepaired {
  /** Each location once, with its last outcome. At most `MOST_REPORTED`. */
  readonly repaired: readonly Repaired[]
  /** Number of outcomes at other locations. A location counts once for each round. */
  readonly more: number
  readonly isSound: boolean
}

/** Checks and repairs until nothing is wrong, or nothing more can be repaired. A dry run checks once. */
export const repairAll = async (dryRun: boolean, check: TableCheck): Promise<AllRepaired> => {
  const repaired = new Map<string, Repaired>()
  let more = 0
  const remember = (one: Repaired): void => {
    const location = `${one.kind} ${one.where}`
    if (repaired.has(location) || repaired.size < MOST_REPORTED) repaired.set(location, one)
    else more++
  }
  const repairRound = async ({ locations }: Pick<Findings, 'locations'>) => {
    const leads = positionsFor(await locations(), check.note)
    let [isChanged, isSound] = [false, true]
    for (const suspect of await locations()) {
      const one = await repairIfPossible(suspect, dryRun, leads)
      remember(one)
      isChanged ||= one.outcome === 'repaired'
      isSound &&= !isStillDamaged(one)
    }
    return { isChanged, isSound }
  }
  for (let round = 1; round <= ROUNDS; round++) {
    const { isChanged, isSound } = await checkTable(check, repairRound)
    if (!isChanged) return { repaired: [...repaired.values()], more, isSound }
  }
  const isSound = await checkTable(check, async ({ findings }) => findings.length === 0)
  return { repaired: [...repaired.values()], more, isSound }
}
