import type { Instant } from '../values/values.ts'
import type { Key } from './key.ts'

/** The do-not-call registries in force: one item for each. */
export const REGISTRIES = 'REGISTRIES'
export const registryHeadKey = (list: string): Key => ({ pk: REGISTRIES, sk: list })
export const REGISTRY_VERSION_PREFIX = 'VERSION#'
/** A version of a registry whose blocks may exist. */
export const registryVersionKey = (list: string, version: string): Key => ({ pk: `REGISTRY#${list}`, sk: `VERSION#${version}` })
/** The imports of all registries, for the records that the law asks to keep. */
export const REGISTRY_IMPORTS = 'REGISTRYIMPORTS'
export const registryImportKey = (list: string, imported: Instant): Key => ({
  pk: REGISTRY_IMPORTS,
  sk: `${new Date(imported).toISOString()}#${list}`,
})
/** Some of the numbers of a version, as hashes. */
export const registryBlockKey = (list: string, version: string, block: number): Key => ({
  pk: `REGISTRY#${list}#${version}#${block}`,
  sk: 'BLOCK',
})
