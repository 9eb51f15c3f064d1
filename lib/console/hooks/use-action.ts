import { useState } from 'preact/hooks'
import type { ApiAnswer, LeadOutreachClient } from '../../client/client.ts'
import { identityOf, session, signedInClients } from '../session.ts'

interface Action<A extends readonly unknown[]> {
  readonly run: (...args: A) => Promise<void>
  readonly isBusy: boolean
  /** Why it failed, until the next attempt. */
  readonly failure: unknown
  readonly clear: () => void
}

/**
 * A change that the user orders. While it runs, it cannot be ordered again. `onDone` does not run when another user has signed in meanwhile.
 */
export const useAction = <A extends readonly unknown[], T>(
  work: (client: LeadOutreachClient, ...args: A) => Promise<ApiAnswer<T>>,
  onDone: (answer: ApiAnswer<T>) => void,
): Action<A> => {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const run = async (...args: A): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    const identity = identityOf(session.get())
    try {
      const answer = await work(signedInClients().acting, ...args)
      if (identityOf(session.get()) === identity) onDone(answer)
    } catch (reason) {
      setFailure(reason)
    }
    setBusy(false)
  }
  return { run, isBusy, failure, clear: () => setFailure(undefined) }
}
