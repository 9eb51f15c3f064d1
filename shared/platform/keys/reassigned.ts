import type { Key } from './key.ts'

export const REASSIGNED_PREFIX = 'REASSIGNED#'
/** The answers of the reassigned numbers database about a phone. @param hash see `phoneHash` */
export const reassignedKey = (hash: string): Key => ({ pk: `${REASSIGNED_PREFIX}${hash}`, sk: 'ANSWERS' })
