import { AsyncLocalStorage } from 'node:async_hooks'

/** One run of a function, and its costs. */
export interface Invocation {
  /** `again`: a message to dial a lead that was dialled already. */
  readonly kind: 'sweep' | 'dial' | 'again' | 'watch' | 'fill, look or probe' | 'report' | 'create'
  readonly owner: number | undefined
  /** Capacity units, as the engine counts them. */
  read: number
  write: number
  /** Characters of the table's answers. Read units also count attributes that a read does not ask for. */
  received: number
  /** Units of rejected writes. AWS charges for them, but the engine does not count them. */
  turnedAway: number
  requests: number
  /** Whether the run sent a request to the agent. */
  hasAsked: boolean
}

const current = new AsyncLocalStorage<Invocation>()

/** The function run that the caller belongs to. */
export const invocation = (): Invocation | undefined => current.getStore()

/** Runs a function, and reports its costs at the end. */
export const invoke = async <T>(
  { kind, owner }: Pick<Invocation, 'kind'> & Partial<Pick<Invocation, 'owner'>>,
  run: () => Promise<T>,
  ended: (invocation: Invocation) => void,
): Promise<T> => {
  const own: Invocation = { kind, owner, read: 0, write: 0, received: 0, turnedAway: 0, requests: 0, hasAsked: false }
  try {
    return await current.run(own, run)
  } finally {
    ended(own)
  }
}
