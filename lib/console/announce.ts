import { open, place } from './route.ts'
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

/** Shows a message. `to`: a place that opens with it, where the message stays. */
export const announce = (text: string, to?: string): void => {
  show(text)
  target = to
  if (to !== undefined) open(to)
}

// A message says nothing about the next view. Another page of the same list is no other view.
place.subscribe(() => {
  const before = shownAt
  shownAt = here()
  if (shownAt !== before && shownAt !== target) show('')
  if (shownAt !== before) target = undefined
})
