import { AsyncLocalStorage } from 'node:async_hooks'

/** One run of a function, and what it cost. */
export interface Invocation {
  /** `again`: a message to dial what has been dialled already. */
  readonly kind: 'sweep' | 'dial' | 'again' | 'watch' | 'other message' | 'report' | 'create'
  readonly owner: number | undefined
  /** Units as the engine counts them. */
  read: number
  write: number
  /** Units of writes that were turned away, which the engine does not count and AWS charges for. */
  turnedAway: number
  requests: number
  /** Whether it asked the agent. */
  hasAsked: boolean
}

const current = new AsyncLocalStorage<Invocation>()

/** The run of a function inside of which the caller is. */
export const invocation = (): Invocation | undefined => current.getStore()

/** Runs a function and tells at its end what it was. */
export const invoke = async <T>(
  { kind, owner }: Pick<Invocation, 'kind'> & Partial<Pick<Invocation, 'owner'>>,
  run: () => Promise<T>,
  ended: (invocation: Invocation) => void,
): Promise<T> => {
  const own: Invocation = { kind, owner, read: 0, write: 0, turnedAway: 0, requests: 0, hasAsked: false }
  try {
    return await current.run(own, run)
  } finally {
    ended(own)
  }
}
