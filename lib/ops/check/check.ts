import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { scanTable } from '#shared/platform/table/scan.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { pooled } from '../pooled.ts'
import { toldFault } from './items.ts'
import type { Damage, Suspect } from './kind.ts'
import { KINDS } from './kinds.ts'
import { Suspects } from './suspects.ts'

export interface Finding extends Suspect {
  readonly message: string
  readonly remedy: string
  readonly isMendable: boolean
}

/** Parts of the table that are read at the same time. */
const SEGMENTS = 4
/** Items after each of which the progress is told. */
const TOLD = 50_000
/** Suspects that are looked at at one moment. */
const WIDTH = 16
const byKind = new Map(KINDS.map((kind) => [kind.kind, kind]))
const order = new Map(KINDS.map(({ kind }, index) => [kind, index]))

/** Of what cannot be looked at for an item that is not of its form: one that is damaged keeps nobody from telling of the others. */
const unseen = ({ kind, where }: Suspect, fault: string): Damage => ({
  message: `Whether there is ${kind} at ${where} cannot be told: an item that it rests on cannot be read (${fault}).`,
  remedy: 'nothing',
  mend: undefined,
})

export const lookAt = async (suspect: Suspect): Promise<Damage | undefined> => {
  try {
    return await byKind.get(suspect.kind)?.look(suspect.where)
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return unseen(suspect, toldFault(error))
  }
}

const findingsAmong = async (suspects: readonly Suspect[]): Promise<Finding[]> => {
  const looked = await pooled(suspects, WIDTH, async (suspect) => ({ suspect, damage: await lookAt(suspect) }))
  return looked.flatMap(({ suspect, damage }) =>
    damage ? [{ ...suspect, message: damage.message, remedy: damage.remedy, isMendable: damage.mend !== undefined }] : [],
  )
}

export interface Checked {
  readonly items: number
  readonly findings: readonly Finding[]
}

export interface Checking {
  /** Is told of the progress. */
  readonly note: (text: string) => void
  /** Seconds after which what is found is looked at again: an index may lag, and some of what the service does is several writes. */
  readonly againAfter: number
}

/** Looks through all of the table, while the service runs or not, and writes nothing. */
export const checkTable = async ({ note, againAfter }: Checking): Promise<Checked> => {
  const suspects = new Suspects()
  let items = 0
  for await (const item of scanTable({ segments: SEGMENTS })) {
    await suspects.take(item)
    items++
    if (items % TOLD === 0) note(`${items.toLocaleString('en-US')} items`)
  }
  const first = await findingsAmong(await suspects.rest())
  if (first.length === 0) return { items, findings: [] }
  await sleep(againAfter * SECOND)
  const findings = await findingsAmong(first)
  return { items, findings: findings.sort((a, b) => (order.get(a.kind) ?? 0) - (order.get(b.kind) ?? 0)) }
}
