import type { Trigger } from '../../client/operations.ts'
import { createUserStore } from '../session.ts'

export interface Draft {
  readonly url: string
  readonly trigger: readonly Trigger[]
  readonly condition: string
}

export const EMPTY_DRAFT: Draft = { url: '', trigger: [], condition: '' }

/** The subscription that is being written. It stays while its condition is tried in another view. */
export const draft = createUserStore(EMPTY_DRAFT)

/** The condition that is being tried. It may name a person, so it is not in the address. */
export const triedCondition = createUserStore('')
