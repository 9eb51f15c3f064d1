import { createUserStore } from './session.ts'

/** The latest message about an action. It is shown, and read out by screen readers. */
export const latestMessage = createUserStore('')

export const announce = (text: string): void => latestMessage.set(text)
