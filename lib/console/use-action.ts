import { useState } from 'preact/hooks'
import type { ApiAnswer, LeadOutreachClient } from '../client/client.ts'
import { signedInClients } from './session.ts'

interface Action<A extends readonly unknown[]> {
  readonly run: (...args: A) => Promise<void>
  readonly isBusy: boolean
  /** Why it failed, until the next attempt. */
  readonly failure: unknown
  readonly clear: () => void
}

/** A change that the user orders. While it runs, it cannot be ordered again. */
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
    try {
      onDone(await work(signedInClients().acting, ...args))
    } catch (reason) {
      setFailure(reason)
    }
    setBusy(false)
  }
  return { run, isBusy, failure, clear: () => setFailure(undefined) }
}
