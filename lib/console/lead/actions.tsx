import { useEffect } from 'preact/hooks'
import type { Lead, LeadStatus, UpdateLead } from '../../client/operations.ts'
import { announce } from '../announce.ts'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useHeadingFocus } from '../parts/heading.tsx'
import { texts } from '../texts.ts'

interface Order {
  readonly verb: string
  readonly question: string
  readonly about: (lead: Lead) => string
  readonly done: string
  readonly change: UpdateLead
  readonly isFor: (lead: Lead) => boolean
}

const { actions } = texts

const OPEN: readonly LeadStatus[] = ['UNKNOWN', 'NEW', 'OPEN', 'CALLBACK_TO_TRANSFER']

const ORDERS: readonly Order[] = [
  {
    verb: actions.dnc,
    question: actions.dncQuestion,
    about: () => actions.dncAbout,
    done: actions.dncDone,
    change: { call_dnc: true, sms_dnc: true },
    isFor: ({ call_dnc, sms_dnc }) => !call_dnc || !sms_dnc,
  },
  {
    verb: actions.cancel,
    question: actions.cancelQuestion,
    about: () => actions.cancelAbout,
    done: actions.cancelDone,
    change: { status: 'CANCELLED' },
    isFor: ({ status, call_dnc }) => OPEN.includes(status) && !call_dnc,
  },
  // No call is planned, but one may be in progress, and a lead that is open is called again once the stop is lifted.
  {
    verb: actions.cancelStopped,
    question: actions.cancelStoppedQuestion,
    about: () => actions.cancelStoppedAbout,
    done: actions.cancelStoppedDone,
    change: { status: 'CANCELLED' },
    isFor: ({ status, call_dnc }) => OPEN.includes(status) && call_dnc,
  },
  {
    verb: actions.reopen,
    question: actions.reopenQuestion,
    about: ({ call_dnc }) => (call_dnc ? actions.reopenStoppedAbout : actions.reopenAbout),
    done: actions.reopenDone,
    change: { status: 'OPEN' },
    isFor: ({ status }) => !OPEN.includes(status),
  },
]

interface ActionsProps {
  readonly lead: Lead
  readonly onDone: () => void
}

/** Stops and reopens a lead. Each order is confirmed, because a stop cannot be undone here and a reopened lead is called. */
export const Actions = ({ lead, onDone }: ActionsProps) => {
  const focusHeadingNext = useHeadingFocus()
  const action = useConfirmed(
    (client, { change }: Order) => client.request('PATCH /api/leads/{id}/', { path: { id: lead.id }, body: change }),
    (_, { tell }, { done }) => {
      tell(done)
      focusHeadingNext()
      onDone()
    },
  )
  // The lead may have got its outcome, which the order would overwrite.
  const { asked: order, ask, isBusy, close } = action
  const isOver = order !== undefined && !isBusy && !order.isFor(lead)
  useEffect(() => {
    if (!isOver) return
    announce(actions.changed)
    close()
    focusHeadingNext()
  }, [isOver])
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">{actions.title}</h2>
      <div class="buttons">
        {ORDERS.filter(({ isFor }) => isFor(lead)).map((one) => (
          <button key={one.verb} type="button" onClick={() => ask(one)}>
            {one.verb}
          </button>
        ))}
      </div>
      {order && <Confirm {...order} about={order.about(lead)} of={action} missing={texts.failures.noLead} />}
    </section>
  )
}
