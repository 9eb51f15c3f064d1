import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { inLanes } from '#shared/platform/lanes.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { faultText } from './items.ts'
import type { Damage, Suspect } from './kind.ts'
import { KINDS } from './kinds.ts'
import { Suspects } from './suspects.ts'

export interface Finding extends Suspect {
  readonly message: string
  readonly remedy: string
  readonly isRepairable: boolean
}

/** Segments of the table that are read in parallel. */
const SEGMENTS = 4
/** Items between two progress messages. */
const PROGRESS = 50_000
/** Suspects that are checked in parallel. */
const WIDTH = 16
const byKind = new Map(KINDS.map((kind) => [kind.kind, kind]))
const order = new Map(KINDS.map(({ kind }, index) => [kind, index]))

/** A finding for a suspect whose check met a malformed item. The other suspects are still reported. */
const uncheckable = ({ kind, where }: Suspect, fault: string): Damage => ({
  message: `Cannot check ${where} for ${kind}: an item that the check needs cannot be read (${fault}).`,
  remedy: 'nothing',
  repair: undefined,
})

export const damageAt = async (suspect: Suspect): Promise<Damage | undefined> => {
  try {
    return await byKind.get(suspect.kind)?.look(suspect.where)
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return uncheckable(suspect, faultText(error))
  }
}

const findingsAmong = async (suspects: readonly Suspect[]): Promise<Finding[]> => {
  const looked = await inLanes(WIDTH, suspects, async (suspect) => ({ suspect, damage: await damageAt(suspect) }))
  return looked.flatMap(({ suspect, damage }) =>
    damage ? [{ ...suspect, message: damage.message, remedy: damage.remedy, isRepairable: damage.repair !== undefined }] : [],
  )
}

export interface Checked {
  readonly items: number
  readonly findings: readonly Finding[]
}

export interface Checking {
  /** Gets progress messages. */
  readonly note: (text: string) => void
  /** Seconds before the findings are checked again. An index may lag, and some operations of the service take several writes. */
  readonly againAfter: number
}

/** Checks the whole table, and writes nothing. The service may be running meanwhile. */
export const checkTable = async ({ note, againAfter }: Checking): Promise<Checked> => {
  const suspects = new Suspects()
  let items = 0
  for await (const item of scanTable({ segments: SEGMENTS })) {
    await suspects.take(item)
    items++
    if (items % PROGRESS === 0) note(`${items.toLocaleString('en-US')} items`)
  }
  const first = await findingsAmong(await suspects.rest())
  if (first.length === 0) return { items, findings: [] }
  await sleep(againAfter * SECOND)
  const findings = await findingsAmong(first)
  return { items, findings: findings.sort((a, b) => (order.get(a.kind) ?? 0) - (order.get(b.kind) ?? 0)) }
}
