import { createUserStore } from './session.ts'
import type { Store } from './store.ts'

const unsaved: (() => boolean)[] = []

/** A store for what a user enters in a form. The entries stay while another view is open. */
export const createDraft = <T>(empty: T, isEmpty: (entries: T) => boolean): Store<T> => {
  const draft = createUserStore(empty)
  unsaved.push(() => !isEmpty(draft.get()))
  return draft
}

// A reload would lose the entries, so the browser asks first.
addEventListener('beforeunload', (event) => {
  if (unsaved.some((isUnsaved) => isUnsaved())) event.preventDefault()
})
