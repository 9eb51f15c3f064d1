import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { inLanes } from '#shared/platform/lanes.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import type { Damage, Suspect } from './kind.ts'
import { KINDS } from './kinds.ts'
import type { SortedLines } from './lines/sorted-lines.ts'
import { faultText } from './scan/items.ts'
import type { Scratch } from './scan/scratch.ts'
import { distinctSuspects, suspectRecord } from './scan/suspects.ts'

export interface Finding extends Suspect {
  readonly message: string
  readonly remedy: string
  readonly isRepairable: boolean
}

/** Suspects that are checked in parallel. */
const WIDTH = 16
/** Suspects that memory holds. */
const BATCH = 1000
/** Suspects between two progress messages: a multiple of `BATCH`. */
const PROGRESS = 10_000
/** Most findings of one kind that are reported one by one. */
const MOST_REPORTED = 1000

const byKind = new Map(KINDS.map((kind) => [kind.kind, kind]))

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

export interface Checking {
  /** Gets progress messages. */
  readonly note: (text: string) => void
  /** Seconds before the findings are checked again. An index may lag, and some operations of the service take several writes. */
  readonly againAfter: number
}

interface Confirming extends Checking {
  readonly scratch: Scratch
}

/** Checks each suspect. @returns the number of findings, and their sorted records */
const look = async (suspects: SortedLines, { note, scratch }: Confirming, onFinding: (finding: Finding) => void) => {
  const confirmed = scratch.lines()
  let [looked, count] = [0, 0]
  const lookAt = async (batch: readonly Suspect[]): Promise<void> => {
    const findings = await findingsAmong(batch)
    for (const finding of findings) {
      confirmed.add(suspectRecord(finding))
      onFinding(finding)
    }
    count += findings.length
    looked += batch.length
    if (looked > 0 && looked % PROGRESS === 0) note(`${looked.toLocaleString('en-US')} suspects looked at`)
  }
  let batch: Suspect[] = []
  for (const suspect of distinctSuspects(await suspects.sorted())) {
    batch.push(suspect)
    if (batch.length < BATCH) continue
    await lookAt(batch)
    batch = []
  }
  await lookAt(batch)
  return { confirmed, count }
}

export interface Findings {
  /** In the order of `KINDS`, at most `MOST_REPORTED` of each kind. */
  readonly findings: readonly Finding[]
  /** By kind: the number of findings that are not among these. */
  readonly more: Readonly<Record<string, number>>
  /** Where all confirmed damage is, also what `findings` leaves out. Call it before the temporary files are removed. */
  readonly locations: () => Promise<Iterable<Suspect>>
}

/** Checks each suspect twice. */
export const confirm = async (suspects: SortedLines, confirming: Confirming): Promise<Findings> => {
  const first = await look(suspects, confirming, () => {})
  if (first.count > 0) await sleep(confirming.againAfter * SECOND)
  const findings: Finding[] = []
  const counts = new Map<string, number>()
  const { confirmed } = await look(first.confirmed, confirming, (finding) => {
    const count = (counts.get(finding.kind) ?? 0) + 1
    counts.set(finding.kind, count)
    if (count <= MOST_REPORTED) findings.push(finding)
  })
  const more = [...counts].filter(([, count]) => count > MOST_REPORTED).map(([kind, count]) => [kind, count - MOST_REPORTED] as const)
  return { findings, more: Object.fromEntries(more), locations: async () => distinctSuspects(await confirmed.sorted()) }
}
