import type { Trigger } from '../../client/operations.ts'
import { createDraft } from '../drafts.ts'
import { createUserStore } from '../session.ts'

export interface Draft {
  readonly url: string
  readonly trigger: readonly Trigger[]
  readonly condition: string
}

export const EMPTY_DRAFT: Draft = { url: '', trigger: [], condition: '' }

/** The subscription that is being written. */
export const draft = createDraft(EMPTY_DRAFT, ({ url, trigger, condition }) => url === '' && trigger.length === 0 && condition === '')

/** The condition that is being tried. It may name a person, so it is not in the address. */
export const triedCondition = createUserStore('')
