import { useState } from 'preact/hooks'
import type { ApiAnswer, LeadOutreachClient } from '../../client/client.ts'
import { type Action, type Origin, useAction } from './use-action.ts'

/** A question before an action: its state, and its two answers. */
export interface Confirmation extends Pick<Action<never>, 'isBusy' | 'failure'> {
  /** Does what was asked about. */
  readonly confirm: () => void
  readonly close: () => void
}

interface Confirmed<O> extends Confirmation, Action<readonly [order: O]> {
  /** The order that waits for an answer. Undefined: no question is open. */
  readonly asked: O | undefined
  readonly ask: (order: O) => void
}

/** An action that a question comes before. The question closes when the action is done, and stays to show a failure. */
export const useConfirmed = <O, T>(
  work: (client: LeadOutreachClient, order: O) => Promise<ApiAnswer<T>>,
  onDone: (answer: ApiAnswer<T>, origin: Origin, order: O) => void,
): Confirmed<O> => {
  const [asked, setAsked] = useState<O>()
  const close = (): void => setAsked(undefined)
  const action = useAction(work, (answer, origin, order) => {
    close()
    onDone(answer, origin, order)
  })
  return {
    ...action,
    asked,
    ask: (order) => {
      if (action.isBusy) return
      action.clear()
      setAsked(() => order)
    },
    confirm: () => {
      if (asked !== undefined) void action.run(asked)
    },
    close,
  }
}
