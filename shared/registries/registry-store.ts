import { randomUUID } from 'node:crypto'
import { markChanged } from '../backlog/marks.ts'
import { registryHolder } from '../backlog/rules/holders.ts'
import { now } from '../platform/clock.ts'
import {
  REGISTRIES,
  REGISTRY_IMPORTS,
  REGISTRY_VERSION_PREFIX,
  registryBlockKey,
  registryHeadKey,
  registryImportKey,
  registryVersionKey,
} from '../platform/keys.ts'
import { batchDelete, batchPut } from '../platform/table/batches.ts'
import { cached } from '../platform/table/cached.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { deleteItem, getItem, ifConditionHolds, partitionItems, putItem, queryAll, type Reading } from '../platform/table/table.ts'
import { committedUnlessRefused, transact } from '../platform/table/transactions.ts'
import { Registry, RegistryBlock, type RegistryFinding, RegistryVersion } from './registry.ts'
import { hasHash, placeOnList } from './rules/block.ts'

/** Strongly consistent. Undefined: the list was never imported. */
export const readRegistry = (list: string): Promise<Registry | undefined> => getItem(Registry, registryHeadKey(list))

/** May be some seconds old. */
export const getRegistry = cached(readRegistry)

/** All lists in force. */
export const allRegistries = (): Promise<Registry[]> => partitionItems(Registry, REGISTRIES)

/** All imports of all lists, the earliest first. */
export const registryImports = (): Promise<Registry[]> => partitionItems(Registry, REGISTRY_IMPORTS)

/** @returns undefined when the version has no such block */
export const readRegistryBlock = (
  { list, version }: Pick<Registry, 'list' | 'version'>,
  block: number,
  reading?: Reading,
): Promise<RegistryBlock | undefined> => getItem(RegistryBlock, registryBlockKey(list, version, block), reading)

export interface RegistryLookUp {
  readonly registry: Registry
  readonly isListed: boolean
}

const lookIn = async (registry: Registry, hash: Buffer, reading: Reading): Promise<RegistryLookUp | undefined> => {
  const { block, stored } = placeOnList(hash, registry.blocks)
  const found = await readRegistryBlock(registry, block, reading)
  return found && { registry, isListed: hasHash(found.hashes, stored) }
}

/**
 * Whether a phone is on a list. Costs half a read unit. Another import may replace the version and delete its blocks at any time.
 * @param phoneHash see `phoneHash`
 * @returns undefined when the list was never imported
 * @throws Error when the list in force lacks the block: nobody can tell who is on it
 */
const lookUpOnRegistry = async (list: string, phoneHash: string): Promise<RegistryLookUp | undefined> => {
  const hash = Buffer.from(phoneHash, 'base64url')
  const seen = await getRegistry(list)
  const found = seen && (await lookIn(seen, hash, { mayBeOld: true }))
  if (found || !seen) return found
  const registry = await readRegistry(list)
  const again = registry && (await lookIn(registry, hash, {}))
  if (!again) throw new Error(`The do-not-call list ${list} is not complete. Import its full list again.`)
  return again
}

/** What some lists say about a phone. @param phoneHash see `phoneHash` */
export const findOnRegistries = (lists: readonly string[], phoneHash: string): Promise<RegistryFinding[]> =>
  Promise.all(
    lists.map(async (list) => {
      const found = await lookUpOnRegistry(list, phoneHash)
      const { as_of = null, area_codes = null, is_complete = false } = found?.registry ?? {}
      return { list, as_of, isListed: found?.isListed ?? false, area_codes: is_complete ? null : area_codes }
    }),
  )

/** Notes a new version before its first block is written. @returns its name */
export const beginVersion = async (list: string, blocks: number): Promise<RegistryVersion> => {
  const version = randomUUID()
  await putItem({ ...registryVersionKey(list, version), version, blocks })
  return { version, blocks, is_removed: false }
}

/** Whether no other import has removed a version that is being written. */
export const isVersionKept = async (list: string, { version }: Pick<RegistryVersion, 'version'>): Promise<boolean> =>
  (await getItem(RegistryVersion, registryVersionKey(list, version)))?.is_removed === false

/** Versions of a list that are not in force: left over, or being written by another import. */
export const otherVersions = async (list: string): Promise<RegistryVersion[]> => {
  const registry = await readRegistry(list)
  const all = await queryAll(RegistryVersion, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': registryVersionKey(list, '').pk, ':prefix': REGISTRY_VERSION_PREFIX },
    ConsistentRead: true,
  })
  return all.filter(({ version }) => version !== registry?.version)
}

/** Writes blocks of a version that is not in force. */
export const putBlocks = (
  list: string,
  { version }: Pick<RegistryVersion, 'version'>,
  blocks: readonly { readonly block: number; readonly hashes: Uint8Array }[],
): Promise<void> => batchPut(blocks.map(({ block, hashes }) => ({ ...registryBlockKey(list, version, block), hashes })))

export const deleteBlocks = (
  list: string,
  { version }: Pick<RegistryVersion, 'version'>,
  blocks: readonly { readonly block: number }[],
): Promise<void> => batchDelete(blocks.map(({ block }) => registryBlockKey(list, version, block)))

/** Replaces a block of the version in force. @returns false when it has changed since it was read, or is gone */
export const replaceBlock = (
  { list, version }: Pick<Registry, 'list' | 'version'>,
  block: number,
  { hashes, changed_as_of }: RegistryBlock,
  next: { readonly hashes: Uint8Array; readonly changed_as_of: string },
): Promise<boolean> => {
  const [sameDay, day] =
    changed_as_of === null ? ['attribute_not_exists(changed_as_of)', {}] : ['changed_as_of = :day', { ':day': changed_as_of }]
  return ifConditionHolds(
    putItem(
      { ...registryBlockKey(list, version, block), ...next },
      { ConditionExpression: `hashes = :before AND ${sameDay}`, ExpressionAttributeValues: { ':before': hashes, ...day } },
    ),
  )
}

/** Blocks that are deleted between two looks at the pace. */
const DELETED_AT_ONCE = 200

const MAX_TRIES = 20

/** From then on, the version cannot come into force. @returns false when it has, or is gone */
const giveUpVersion = (list: string, version: string): Promise<boolean> =>
  retryRaces({ tries: MAX_TRIES, lost: `A version of the list ${list} was being written by others` }, async () => {
    const values = { ':version': version }
    const result = await transact([
      {
        update: registryVersionKey(list, version),
        expression: 'SET is_removed = :yes',
        condition: 'attribute_exists(pk)',
        values: { ':yes': true },
      },
      { check: registryHeadKey(list), condition: 'attribute_not_exists(pk) OR version <> :version', values },
    ])
    return committedUnlessRefused(result)
  })

/**
 * Removes a version that is not in force, its note last. An import that still writes it stops.
 * @param pace waits between some of the blocks
 */
export const removeRegistryVersion = async (
  list: string,
  { version, blocks }: RegistryVersion,
  pace: () => Promise<void>,
): Promise<void> => {
  if (!(await giveUpVersion(list, version))) return
  for (let from = 0; from < blocks; from += DELETED_AT_ONCE) {
    const length = Math.min(DELETED_AT_ONCE, blocks - from)
    await deleteBlocks(
      list,
      { version },
      Array.from({ length }, (_, at) => ({ block: from + at })),
    )
    await pace()
  }
  await deleteItem(registryVersionKey(list, version))
}

const asRead = (before: Registry | undefined) =>
  before
    ? {
        condition: 'version = :version AND as_of = :day AND numbers = :numbers',
        values: { ':version': before.version, ':day': before.as_of, ':numbers': before.numbers },
      }
    : { condition: 'attribute_not_exists(pk)' }

/**
 * Puts a complete version in force, or notes that changes were made to the one in force. The sweep then plans again the leads that the list
 * held back.
 * @returns false when the list, or this version, was changed by others
 */
export const switchRegistry = (next: Registry, before: Registry | undefined): Promise<boolean> =>
  retryRaces({ tries: MAX_TRIES, lost: `The list ${next.list} was being written by others` }, async () => {
    const complete = {
      check: registryVersionKey(next.list, next.version),
      condition: 'attribute_exists(pk) AND attribute_not_exists(is_removed)',
    }
    const put = { put: { ...registryHeadKey(next.list), ...next }, ...asRead(before) }
    // Only the next full import needs the counts.
    const recorded = { put: { ...registryImportKey(next.list, next.imported_time), ...next, numbers_by_area_code: {} } }
    return committedUnlessRefused(await transact([put, complete, recorded, markChanged(registryHolder(next.list), now())]))
  })
