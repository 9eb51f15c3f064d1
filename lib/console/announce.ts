import { openFrom, place } from './route.ts'
import { createUserStore } from './session.ts'

interface Message {
  readonly text: string
  /** Another one for each message: screen readers also read out the same text again. */
  readonly number: number
}

/** The latest message about an action. It is shown, and read out by screen readers. */
export const latestMessage = createUserStore<Message>({ text: '', number: 0 })

const show = (text: string): void => latestMessage.set({ text, number: latestMessage.get().number + 1 })

const here = (): string => place.get().parts.join('/')

/** Where the latest message is shown, besides the place where it began. */
let target: string | undefined
let shownAt = here()

export const announce = (text: string): void => {
  target = undefined
  show(text)
}

/** Tells the result of an action, and opens its place. The message stays there. `began`: the place where the action began. */
export const announceAndOpen = (text: string, began: string, to: string): void => {
  show(text)
  target = to
  openFrom(began, to)
}

// A message says nothing about the next view. Another page of the same list is no other view.
place.subscribe(() => {
  const before = shownAt
  shownAt = here()
  if (shownAt !== before && shownAt !== target) show('')
  if (shownAt !== before) target = undefined
})
