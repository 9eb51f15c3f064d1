import type { Lead } from '../../client/operations.ts'
import { texts } from '../texts.ts'

const CALLABLE = ['OPEN', 'CALLBACK_TO_TRANSFER']

interface StatusBadgeProps {
  readonly lead: Pick<Lead, 'status' | 'call_dnc' | 'next_call_time'>
}

/** The status of a lead. The colour only repeats what the words say: a lead that nobody may call, or without a planned call, does not look ready. */
export const StatusBadge = ({ lead: { status, call_dnc, next_call_time: next } }: StatusBadgeProps) => (
  <span class="badges">
    <span class={`badge ${CALLABLE.includes(status) && !call_dnc && next !== null ? 'good' : ''}`}>{texts.statuses[status]}</span>
    {call_dnc && <span class="badge bad">{texts.lead.dnc.call}</span>}
  </span>
)
