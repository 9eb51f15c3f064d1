import type { Subscription } from '../../client/operations.ts'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'

const { webhooks } = texts

type State = Pick<Subscription, 'disabled_time' | 'disabled_reason'>

export const isDisabled = ({ disabled_time, disabled_reason }: State): boolean => disabled_time !== null || disabled_reason !== null

interface WebhookStateProps {
  readonly of: State
  /** Whether its latest deliveries are known not to arrive. */
  readonly isFailing?: boolean
}

/** Whether a subscription is enabled, and otherwise since when and why not. */
export const WebhookState = ({ of, isFailing = false }: WebhookStateProps) => {
  if (!isDisabled(of)) {
    return isFailing ? <span class="badge bad">{texts.now.noneArrives}</span> : <span class="badge good">{webhooks.enabled}</span>
  }
  return (
    <>
      <span class="badge bad">{webhooks.disabled}</span>{' '}
      <span class="second">
        {of.disabled_time !== null && `${timeIn(ownZone(), of.disabled_time)}. `}
        {of.disabled_reason !== null && <QuotedText text={of.disabled_reason} />}
      </span>
    </>
  )
}
