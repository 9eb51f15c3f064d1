import { now } from '#shared/platform/clock.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { retryRaces } from '#shared/platform/table/retry-races.ts'
import type { Registry } from '#shared/registries/registry.ts'
import { readRegistry, readRegistryBlock, replaceBlock, switchRegistry } from '#shared/registries/registry-store.ts'
import { packHashes, placeOnList, unpackHashes } from '#shared/registries/rules/block.ts'
import { OpsRefusal } from '../refusal.ts'
import { inPacedSteps, newPace } from './pace.ts'
import { ALL_PARTS, changeIn, dayNumber, type Hashed, type HashedChange } from './read-files.ts'

const LANES = 8
const MAX_TRIES = 20

interface Applied {
  readonly registry: Registry
  /** Numbers that were not on the list before. */
  readonly added: number
  readonly removed: number
  /** Numbers that stay on the list, although the changes delete them. */
  readonly kept: number
}

interface Changes {
  readonly asOf: string
  readonly before: Registry
  readonly hashed: Hashed
}

const lost = (list: string): OpsRefusal =>
  new OpsRefusal(`Another import has replaced the list ${list} meanwhile. If the new list is older than these changes, import them again.`)

/** Whether a change overrides another one of the same number. On one day, an addition overrides a removal. */
const isLater = (change: HashedChange, than: HashedChange): boolean => change.day > than.day || (change.day === than.day && change.isAdded)

/** The last change of each number, by block. */
const changesOfPart = ({ before, hashed }: Changes, part: number): Map<number, Map<number, HashedChange>> => {
  const blocks = new Map<number, Map<number, HashedChange>>()
  for (const record of hashed.records.records(part)) {
    const change = changeIn(record)
    const { block, stored } = placeOnList(change.hash, before.blocks)
    const changes = blocks.get(block) ?? new Map<number, HashedChange>()
    blocks.set(block, changes)
    const known = changes.get(stored)
    if (!known || isLater(change, known)) changes.set(stored, change)
  }
  return blocks
}

/**
 * Whether a deletion counts. The list has all changes before its day, so a number that was deleted then, and is on the list, was added again.
 * It may also have all changes of its day: then a file of this day may be older than the list.
 */
const isRemoval = ({ isAdded, day }: HashedChange, { asOf, before }: Changes): boolean =>
  !isAdded && asOf > before.as_of && day >= dayNumber(before.as_of)

/** How many different numbers the changes delete, if all of them are on the list. Reads only the files. */
export const numbersDeleted = (given: Changes): number =>
  ALL_PARTS.reduce((sum, part) => {
    const changes = [...changesOfPart(given, part).values()].flatMap((block) => [...block.values()])
    return sum + changes.filter((change) => isRemoval(change, given)).length
  }, 0)

/**
 * Other changes may have added a number that these changes remove, if they are of the same day or later. So in their blocks, these changes
 * only add. In a block that an interrupted import has changed, the same changes have nothing left to do.
 * @returns how many numbers were added, removed, and kept although the changes delete them
 */
const changeBlock = (given: Changes, block: number, changes: ReadonlyMap<number, HashedChange>) => {
  const { asOf, before: registry } = given
  return retryRaces({ tries: MAX_TRIES, lost: `A block of the list ${registry.list} was being written by others` }, async () => {
    const before = await readRegistryBlock(registry, block)
    if (!before) throw lost(registry.list)
    const { changed_as_of } = before
    const isChanged = changed_as_of !== null && changed_as_of >= asOf
    const latest = isChanged ? changed_as_of : asOf
    const hashes = unpackHashes(before.hashes)
    const added = [...changes].filter(([hash, { isAdded }]) => isAdded && !hashes.has(hash)).map(([hash]) => hash)
    const deleted = [...changes].filter(([hash, { isAdded }]) => !isAdded && hashes.has(hash))
    const removed = isChanged ? [] : deleted.filter(([, change]) => isRemoval(change, given)).map(([hash]) => hash)
    const done = { added: added.length, removed: removed.length, kept: deleted.length - removed.length }
    if (changed_as_of === latest && added.length + removed.length === 0) return done
    for (const hash of added) hashes.add(hash)
    for (const hash of removed) hashes.delete(hash)
    const next = { hashes: packHashes(hashes), changed_as_of: latest }
    return (await replaceBlock(registry, block, before, next)) ? done : undefined
  })
}

/** Notes the changes at the list, also when another list of changes was noted meanwhile. */
const noteChanges = ({ asOf, before }: Changes, more: number): Promise<Registry> =>
  retryRaces({ tries: MAX_TRIES, lost: `The list ${before.list} was being written by others` }, async () => {
    const present = await readRegistry(before.list)
    if (present?.version !== before.version) throw lost(before.list)
    const as_of = asOf > present.as_of ? asOf : present.as_of
    const next = { ...present, numbers: present.numbers + more, as_of, imported_time: now() }
    return (await switchRegistry(next, present)) ? next : undefined
  })

/**
 * Applies a list of changes to the list in force, one block at a time. After an interruption, the same command does the rest. The day of the
 * list moves last.
 */
export const importChanges = async (given: Changes): Promise<Applied> => {
  const pace = newPace()
  let [added, removed, kept] = [0, 0, 0]
  for (const part of ALL_PARTS) {
    await inPacedSteps([...changesOfPart(given, part)], pace, async (some) => {
      const done = await inLanes(LANES, some, ([block, changes]) => changeBlock(given, block, changes))
      added += done.reduce((sum, block) => sum + block.added, 0)
      removed += done.reduce((sum, block) => sum + block.removed, 0)
      kept += done.reduce((sum, block) => sum + block.kept, 0)
    })
  }
  return { registry: await noteChanges(given, added - removed), added, removed, kept }
}
