import { DEFAULT_CADENCE } from '#shared/accounts/configuration.ts'
import { REPORTED_OUTCOMES, type ReportedOutcome } from '#shared/calling/call.ts'
import { REPORTED_OUTCOME_MEANINGS } from '#shared/calling/rules/meanings.ts'
import { type Outcome, outcomeOf } from '#shared/calling/rules/outcomes.ts'
import { isCallable } from '#shared/leads/rules/status.ts'
import { STATUS_EFFECTS } from '#shared/leads/rules/transitions.ts'
import { LEAD_STATUS_MEANINGS } from '#shared/platform/values/meanings.ts'
import { LEAD_STATUSES } from '#shared/platform/values/values.ts'
import { ENUMS, type Meanings } from '../openapi/enums.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

const NONE = '–'

const minutes = (seconds: number): string => (seconds < 3600 ? `${seconds / 60} minutes` : `${seconds / 3600} hours`)

const CADENCE = `${DEFAULT_CADENCE.delays.map(minutes).join(', ')}`

const NEXT: Readonly<Record<Outcome['next'], string>> = {
  none: NONE,
  cadence: 'The next step of the cadence (`NEXT_AVAILABLE_SLOT`)',
  callback: 'At the time that the person asked for (`CALLBACK`)',
  transfer_callback: `After ${minutes(DEFAULT_CADENCE.transfer_unavailable_delay)} (${code('CALLBACK')})`,
}

const rowOf = (reported: ReportedOutcome, messageLeft = false): string[] => {
  const { outcome, status, detail, next, dnc } = outcomeOf(reported, messageLeft)
  return [
    messageLeft ? `${code(reported)}, with ${code('message_left')}` : code(reported),
    REPORTED_OUTCOME_MEANINGS[reported],
    code(outcome),
    code(status),
    detail === null ? NONE : code(detail),
    dnc ? `${NEXT[next]} (${code('call_dnc')} becomes true)` : NEXT[next],
  ]
}

const OUTCOME_ROWS = REPORTED_OUTCOMES.flatMap((reported) =>
  reported === 'voicemail' ? [rowOf(reported, true), rowOf(reported)] : [rowOf(reported)],
)

const statusRow = (status: (typeof LEAD_STATUSES)[number]): string[] => {
  const { event } = STATUS_EFFECTS[status]
  return [code(status), LEAD_STATUS_MEANINGS[status], isCallable(status) ? 'yes' : 'no', event === null ? NONE : code(event)]
}

const listOf = (name: keyof typeof ENUMS): string => {
  const { values, meanings }: Meanings = ENUMS[name]
  return markdownTable(
    ['Value', 'Meaning'],
    values.map((value) => [code(value), meanings[value] ?? '']),
  )
}

/** The page about the effects of call outcomes, and about the meaning of every value of the closed lists. */
export const outcomesPage = (): string =>
  markdownPage(
    '# Outcomes and values',
    `The voice agent reports an outcome. This outcome decides the call outcome that clients see, the status of the lead, and the next call.
The tables below give the meaning of each value in answers and webhooks. The OpenAPI document has the same meanings.`,
    '## What an outcome does',
    markdownTable(['Agent reports', 'Meaning', 'Call outcome', 'Lead status', '`status_detail`', 'Next call'], OUTCOME_ROWS),
    `By default, the steps of the cadence are ${CADENCE}, and the last step repeats.
The service moves the next call to the first lawful time. The operator can set other delays for each lead type.`,
    `- **Last step.** After ${DEFAULT_CADENCE.max_attempts} calls (a setting of the lead type) there is no next step. The lead becomes
${code('CLOSED_INCOMPLETE')}. If the last call was a conversation, its outcome is ${code('COMPLETED_LAST_CALL')}.
- **Callback without a time.** If the agent reports no time, or a time in the past, the callback follows after
${minutes(DEFAULT_CADENCE.transfer_unavailable_delay)}.
- **Nevada.** If a person hangs up, the service does not call again. The lead becomes ${code('LOST')}.
- **Another phone.** ${code('BAD_NUMBER')} is about the phone that was called. If the lead has another phone in the meantime, the outcome
counts as ${code('failed')}.
- **Stops come first.** If a client sets another status during the call, that status stays. The service then records the outcome only on the
call.
- **Refused calls.** If the voice agent refuses a call, the service tries the same step again. If all calls of a lead are refused, the lead
becomes ${code('CLOSED_INCOMPLETE')}.`,
    '## Lead: `status`',
    markdownTable(['Value', 'Meaning', 'Called?', 'Event'], LEAD_STATUSES.map(statusRow)),
    ...(
      [
        ['Lead: `status_detail`', 'StatusDetail'],
        ['Lead: `status_reason`', 'StatusReason'],
        ['Lead: `next_call_time_reason`', 'NextCallTimeReason'],
        ['Call: `call_status`', 'CallStatus'],
        ['Call: `outcome`', 'CallOutcome'],
        ['Call: `transfer.status`', 'TransferStatus'],
        ['Explanation: `gate`', 'GateName'],
        ['Delivery: `status`', 'DeliveryStatus'],
        ['Upload: `status`', 'UploadStatus'],
        ['Task: `status`', 'TaskStatus'],
        ['Event: `trigger`', 'Trigger'],
        ['Warnings', 'WarningCode'],
      ] as const
    ).flatMap(([heading, name]) => [`## ${heading}`, listOf(name)]),
  )
