import type { Key } from './key.ts'

/** The do-not-call registries in force: one item for each. */
export const REGISTRIES = 'REGISTRIES'
export const registryHeadKey = (list: string): Key => ({ pk: REGISTRIES, sk: list })
export const REGISTRY_VERSION_PREFIX = 'VERSION#'
/** A version of a registry whose blocks may exist. */
export const registryVersionKey = (list: string, version: string): Key => ({ pk: `REGISTRY#${list}`, sk: `VERSION#${version}` })
/** Some of the numbers of a version, as hashes. */
export const registryBlockKey = (list: string, version: string, block: number): Key => ({
  pk: `REGISTRY#${list}#${version}#${block}`,
  sk: 'BLOCK',
})
