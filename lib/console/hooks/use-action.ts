import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiAnswer, LeadOutreachClient } from '../../client/client.ts'
import { announce } from '../announce.ts'
import { isKeyRefused } from '../connection.ts'
import { errorInWords, linesOf } from '../parts/failure-note.tsx'
import { shownTitle } from '../parts/heading.tsx'
import { identityOf, session, signedInClients } from '../session.ts'
import { texts } from '../texts.ts'

export interface Action<A extends readonly unknown[]> {
  readonly run: (...args: A) => Promise<void>
  readonly isBusy: boolean
  /** Why it failed, until the next attempt. */
  readonly failure: unknown
  readonly clear: () => void
}

/** The view in which an action began. */
export interface Origin {
  /** Whether the user has left it. */
  readonly isLeft: boolean
  /**
   * Announces a message, and opens the place `to`. If the user has left the view, the message names the view, and nothing opens: the user
   * may be writing something else, even in the same view.
   */
  readonly tell: (text: string, to?: string) => void
}

const inWords = (failure: unknown): string =>
  isKeyRefused(failure) ? texts.failures.keyEnded : linesOf(failure, undefined, {}).map(errorInWords).join(' ')

/**
 * A change that the user orders. While it runs, it cannot be ordered again. `onDone` does not run when another user has signed in meanwhile.
 * A failure that the view cannot show any more is announced.
 */
export const useAction = <A extends readonly unknown[], T>(
  work: (client: LeadOutreachClient, ...args: A) => Promise<ApiAnswer<T>>,
  onDone: (answer: ApiAnswer<T>, origin: Origin, ...args: A) => void,
): Action<A> => {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isLeft = useRef(false)
  useEffect(
    () => () => {
      isLeft.current = true
    },
    [],
  )
  const run = async (...args: A): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    const identity = identityOf(session.get())
    const title = shownTitle()
    const isSameUser = (): boolean => identityOf(session.get()) === identity
    const tell: Origin['tell'] = (text, to) => (isLeft.current ? announce(`${title}: ${text}`) : announce(text, to))
    try {
      const answer = await work(signedInClients().acting, ...args)
      if (isSameUser()) onDone(answer, { isLeft: isLeft.current, tell }, ...args)
    } catch (reason) {
      setFailure(reason)
      const isShown = !isLeft.current && session.get().state === 'in' && !isKeyRefused(reason)
      if (!isShown && isSameUser()) tell(inWords(reason))
    }
    setBusy(false)
  }
  return { run, isBusy, failure, clear: () => setFailure(undefined) }
}
