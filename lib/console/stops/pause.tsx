import { announce } from '../announce.ts'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { Confirm } from '../parts/confirm.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { useHeadingFocus } from '../parts/heading.tsx'
import { texts } from '../texts.ts'
import { pauseInWords, useOwnUser } from './pause-banner.tsx'

const { pause } = texts

const ORDERS = {
  pause: { ...pause.pause, operation: 'POST /api/users/{id}/pause-calls/' },
  unpause: { ...pause.unpause, operation: 'POST /api/users/{id}/unpause-calls/' },
} as const

type Order = (typeof ORDERS)[keyof typeof ORDERS]

/** Pauses the calls of the user, and ends the pause. Both are confirmed: either way, many phones are affected at once. */
export const Pause = () => {
  const { data: user, failure: unread, reload } = useOwnUser()
  const focusHeadingNext = useHeadingFocus()
  const action = useConfirmed(
    (client, { operation }: Order) => client.request(operation, { path: { id: user?.id ?? 0 } }),
    (_, __, { done }) => {
      announce(done)
      focusHeadingNext()
      reload()
    },
  )
  if (!user) return null
  const { asked: order, ask } = action
  return (
    <section aria-labelledby="pause">
      <h2 id="pause">{pause.title}</h2>
      <FailureNote failure={unread} onRetry={reload} />
      <p>{pauseInWords(user) || pause.none}</p>
      <div class="buttons">
        {!user.paused && (
          <button type="button" onClick={() => ask(ORDERS.pause)}>
            {pause.pause.verb}
          </button>
        )}
        {(user.paused || user.paused_existing_leads) && (
          <button type="button" onClick={() => ask(ORDERS.unpause)}>
            {pause.unpause.verb}
          </button>
        )}
      </div>
      {order && <Confirm {...order} of={action} />}
    </section>
  )
}
