import { now } from '#shared/platform/clock.ts'
import type { Registry, RegistryVersion } from '#shared/registries/registry.ts'
import {
  beginVersion,
  deleteBlocks,
  isVersionKept,
  otherVersions,
  putBlocks,
  removeRegistryVersion,
  switchRegistry,
} from '#shared/registries/registry-store.ts'
import { blocksFor, hashesIn, packHashes, placeOnList, REGISTRY_PARTS } from '#shared/registries/rules/block.ts'
import { OpsRefusal } from '../refusal.ts'
import { checkListSize } from './check-list-size.ts'
import { inPacedSteps, newPace } from './pace.ts'
import { ALL_PARTS, type Hashed } from './read-files.ts'

/** Parts between two progress messages. */
const PROGRESS_EACH = 32

interface FullImport {
  readonly list: string
  readonly asOf: string
  readonly before: Registry | undefined
  /** The operator says that the files hold all numbers of the list. */
  readonly complete: boolean
  /** The operator says that the list has really lost many numbers. */
  readonly smaller: boolean
  readonly hashed: Hashed
  readonly note: (text: string) => void
}

const lost = (list: string): OpsRefusal =>
  new OpsRefusal(`Another import has changed the list ${list} meanwhile. Nothing was imported. See: npm run ops -- registry show`)

interface Block {
  readonly block: number
  readonly hashes: Uint8Array
}

/** The blocks of one part of the list, also those without a number. */
const blocksOfPart = (records: Hashed['records'], part: number, blocks: number): Block[] => {
  const each = blocks / REGISTRY_PARTS
  const stored = Array.from({ length: each }, (): number[] => [])
  for (const record of records.records(part)) {
    const place = placeOnList(record, blocks)
    stored[place.block - part * each]?.push(place.stored)
  }
  return stored.map((hashes, at) => ({ block: part * each + at, hashes: packHashes(hashes) }))
}

/** Blocks that are collected before they are written. A part of a long list has more. */
const COLLECTED = 200

/** Writes all blocks. @returns the number of different numbers */
const writeBlocks = async ({ list, hashed, note }: FullImport, version: RegistryVersion): Promise<number> => {
  const pace = newPace()
  let pending: Block[] = []
  let numbers = 0
  for (const part of ALL_PARTS) {
    pending.push(...blocksOfPart(hashed.records, part, version.blocks))
    if ((part + 1) % PROGRESS_EACH === 0) note(`${Math.round(((part + 1) * 100) / REGISTRY_PARTS)} % of the numbers are sorted`)
    if (pending.length < COLLECTED && part + 1 < REGISTRY_PARTS) continue
    await inPacedSteps(pending, pace, async (some) => {
      await putBlocks(list, version, some)
      // Look after the write: an import that removed this version before has not removed these blocks.
      if (await isVersionKept(list, version)) return
      await deleteBlocks(list, version, some)
      throw lost(list)
    })
    numbers += pending.reduce((sum, { hashes }) => sum + hashesIn(hashes), 0)
    pending = []
  }
  return numbers
}

/** Removes what former and interrupted imports left. */
const removeOthers = async (list: string): Promise<void> => {
  for (const version of await otherVersions(list)) await removeRegistryVersion(list, version, newPace())
}

/**
 * Writes a whole list beside the one in force, and then puts it in force at once.
 * @throws OpsRefusal when the list has too few different numbers, or another import has changed it
 */
export const importFull = async (given: FullImport): Promise<Registry> => {
  const { list, asOf, before, complete, smaller, hashed } = given
  await removeOthers(list)
  const version = await beginVersion(list, blocksFor(hashed.count))
  const numbers = await writeBlocks(given, version)
  try {
    // Only now is it known how many numbers the files hold twice.
    if (before && !smaller) checkListSize(numbers, before)
  } catch (error) {
    await removeRegistryVersion(list, version, newPace())
    throw error
  }
  const next = {
    ...{ list, version: version.version, blocks: version.blocks, numbers, as_of: asOf, imported_time: now() },
    area_codes: hashed.areaCodes,
    numbers_by_area_code: hashed.byAreaCode,
    is_complete: complete,
  }
  if (!(await switchRegistry(next, before))) {
    await removeRegistryVersion(list, version, newPace())
    throw lost(list)
  }
  await removeOthers(list)
  return next
}
