import type { ReportedOutcome } from '../../calling/call.ts'

/** How a call ended, as telephony tells it. `cancelled`: by us, before anybody answered. */
export type CallEnd = ReportedOutcome | 'cancelled'

/** A report in our open protocol, not validated yet. */
export interface OpenReport {
  readonly type:
    | 'call.answered'
    | 'call.transfer_initiated'
    | 'call.transfer_connected'
    | 'call.transfer_ended'
    | 'call.data_collected'
    | 'call.ended'
    | 'call.completed'
    | 'dnc.requested'
  /** ISO 8601. */
  readonly time: string
  /** Recognises a repeat of the same event. */
  readonly event_id?: string
  readonly data?: Readonly<Record<string, unknown>>
}
