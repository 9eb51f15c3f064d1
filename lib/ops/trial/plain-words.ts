import { DEFAULT_CADENCE } from '#shared/accounts/configuration.ts'
import type { CallReport } from '#shared/agents/api/call-report.ts'
import type { ReportedOutcome } from '#shared/calling/call.ts'
import { outcomeOf } from '#shared/calling/rules/outcomes.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'

const WORDS: Readonly<Record<string, string>> = {
  'call.answered': 'Somebody, or a machine, answered.',
  'call.data_collected': 'The agent reported data about the person.',
  'call.transfer_initiated': 'The agent transfers the call.',
  'call.transfer_connected': 'The transfer found somebody.',
  'call.transfer_ended': 'The transfer is over.',
  'call.ended': 'The call is over.',
  'call.completed': 'The outcome is known, and nothing more follows.',
  'sms.completed': 'A text message was sent or received.',
  'dnc.requested': 'The person asked not to be contacted again.',
}

const shown = (value: unknown): string => {
  if (typeof value === 'string') return value
  return JSON.stringify(value) ?? ''
}

const INSTANTS = new Set(['callback_time'])

const detail = ([name, value]: readonly [string, unknown]): string =>
  `${name}: ${INSTANTS.has(name) && typeof value === 'number' ? new Date(value).toISOString() : shown(value)}`

/** The data of a report, without empty fields. */
export const dataOf = (report: CallReport): Record<string, unknown> =>
  'data' in report && typeof report.data === 'object' && report.data !== null
    ? Object.fromEntries(Object.entries(report.data).filter(([, value]) => value !== null && value !== undefined))
    : {}

const seconds = (at: Instant): string => new Date(at).toISOString().slice(0, 19)

/** A report in one line. */
export const inWords = (report: CallReport): string => {
  const details = Object.entries(dataOf(report)).map(detail).join(', ')
  return `${seconds(report.time)}Z  ${report.type.padEnd(24)} ${WORDS[report.type] ?? ''}${details === '' ? '' : ` ${details}`}`
}

const minutes = (delay: number): string => `${Math.round((delay * SECOND) / MINUTE)} minutes`

const [FIRST_DELAY = 0] = DEFAULT_CADENCE.delays

/** The consequences of a call to a lead whose lead type has the default settings. */
export const aftermath = (reported: ReportedOutcome, messageLeft: boolean, callback: Instant | null) => {
  const { outcome, status, detail: status_detail, next, dnc } = outcomeOf(reported, messageLeft)
  const byCadence = `after ${minutes(FIRST_DELAY)}, or as the lead type says`
  const next_call = {
    none: 'none',
    cadence: byCadence,
    callback: callback === null ? byCadence : `at ${new Date(callback).toISOString()}, as promised`,
    transfer_callback: `after ${minutes(DEFAULT_CADENCE.transfer_unavailable_delay)}, or as the lead type says`,
  }[next]
  return { outcome, status, status_detail, next_call, do_not_call: dnc }
}

export const aftermathInWords = ({ outcome, status, status_detail, next_call, do_not_call }: ReturnType<typeof aftermath>): string =>
  [
    `In the service, the call would have the outcome ${outcome}.`,
    `Its lead would be ${status}${status_detail === null ? '' : ` (${status_detail})`}. Next call: ${next_call}.`,
    ...(do_not_call ? ['Its number would go on the do-not-contact list.'] : []),
  ].join('\n')
