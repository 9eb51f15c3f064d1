import { ApiError } from '../../client/api-error.ts'
import type { ApiAnswer } from '../../client/client.ts'
import type { Subscription } from '../../client/operations.ts'
import { useAction } from '../hooks/use-action.ts'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { Confirm } from '../parts/confirm.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { useHeadingFocus } from '../parts/heading.tsx'
import { open } from '../route.ts'
import { texts } from '../texts.ts'
import { triedCondition } from './draft.ts'
import { isDisabled } from './webhook-state.tsx'

const { webhooks } = texts

/** A subscription that does not exist is deleted, perhaps by an attempt whose answer was lost. */
const deletedIfMissing = (failure: unknown): ApiAnswer<undefined> => {
  if (!(failure instanceof ApiError && failure.status === 404)) throw failure
  return { status: failure.status, data: undefined, warnings: [], headers: new Headers() }
}

interface WebhookActionsProps {
  readonly webhook: Subscription
  readonly onDone: () => void
}

/** Tests, enables and deletes a subscription. A disabled one sends nothing, not even a test. */
export const WebhookActions = ({ webhook, onDone }: WebhookActionsProps) => {
  const path = { id: webhook.id }
  const focusHeadingNext = useHeadingFocus()
  const test = useAction(
    (client) => client.request('POST /api/webhooks/{id}/test/', { path }),
    (_, { tell }) => {
      tell(webhooks.testDone)
      onDone()
    },
  )
  const enable = useConfirmed(
    (client, { id }: Subscription) => client.request('POST /api/webhooks/{id}/enable/', { path: { id } }),
    (_, { tell }) => {
      tell(webhooks.enableDone)
      focusHeadingNext()
      onDone()
    },
  )
  const remove = useConfirmed(
    (client, { id }: Subscription) => client.request('DELETE /api/webhooks/{id}/', { path: { id } }).catch(deletedIfMissing),
    (_, { tell }) => tell(webhooks.deleteDone, 'webhooks'),
  )
  /** A failure of an earlier test would seem to be one of this order. */
  const askInstead = (order: typeof enable) => (): void => {
    test.clear()
    order.ask(webhook)
  }
  return (
    <>
      {isDisabled(webhook) && <p class="note">{webhooks.disabledAbout}</p>}
      <div class="buttons">
        {isDisabled(webhook) ? (
          <button type="button" class="main" onClick={askInstead(enable)}>
            {webhooks.enable}
          </button>
        ) : (
          <button type="button" aria-disabled={test.isBusy} onClick={() => void test.run()}>
            {webhooks.test}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            triedCondition.set(webhook.filter_condition)
            open('webhooks/filter')
          }}
        >
          {webhooks.try}
        </button>
        <button type="button" onClick={askInstead(remove)}>
          {webhooks.delete}
        </button>
      </div>
      <FailureNote failure={test.failure} missing={webhooks.missing} />
      {enable.asked && (
        <Confirm
          question={webhooks.enableQuestion}
          about={webhooks.enableAbout}
          verb={webhooks.enable}
          of={enable}
          missing={webhooks.missing}
        />
      )}
      {remove.asked && <Confirm question={webhooks.deleteQuestion} about={webhooks.deleteAbout} verb={webhooks.delete} of={remove} />}
    </>
  )
}
