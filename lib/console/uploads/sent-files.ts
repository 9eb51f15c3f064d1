import { createUserStore } from '../session.ts'
import { useStore } from '../store.ts'

const NONE: ReadonlySet<string> = new Set()

/** The uploads whose whole file this tab has sent. The service does not say that a file has arrived until it begins to read it. */
const sentFiles = createUserStore(NONE)

export const noteSent = (id: string): void => sentFiles.set(new Set([...sentFiles.get(), id]))

export const useIsSent = (id: string): boolean => useStore(sentFiles).has(id)
