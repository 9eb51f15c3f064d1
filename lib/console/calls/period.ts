import { dayCount, daysAfter, LONGEST_PERIOD, type Period } from '#shared/statistics/rules/period.ts'
import type { Operations } from '../../client/operations.ts'
import { texts } from '../texts.ts'
import { isOutcome, type ShownOutcome } from './outcomes.ts'

type StatisticsQuery = NonNullable<Operations['GET /api/statistics/']['query']>

export type PeriodChoice = keyof typeof texts.callsView.choices

/** What the address asks for: `#/calls?days=7&lead_type=4`. */
export interface CallsAsked {
  readonly choice: PeriodChoice
  /** Days of a custom period, as YYYY-MM-DD. */
  readonly from: string
  readonly to: string
  /** Empty: all of them. */
  readonly leadType: string
  readonly source: string
  /** Undefined: all of them. */
  readonly outcome: ShownOutcome | undefined
}

const outcomeIn = (query: URLSearchParams): ShownOutcome | undefined => {
  const outcome = query.get('outcome')
  return outcome !== null && isOutcome(outcome) ? outcome : undefined
}

const choiceOf = (query: URLSearchParams): PeriodChoice => {
  if (query.has('from') || query.has('to')) return 'custom'
  const days = query.get('days')
  return days === '1' || days === '7' ? days : '30'
}

/** The calls of the usual period. */
export const ALL_CALLS: CallsAsked = { choice: '30', from: '', to: '', leadType: '', source: '', outcome: undefined }

export const callsAsked = (query: URLSearchParams): CallsAsked => ({
  choice: choiceOf(query),
  from: query.get('from') ?? '',
  to: query.get('to') ?? '',
  leadType: query.get('lead_type') ?? '',
  source: query.get('lead_source') ?? '',
  outcome: outcomeIn(query),
})

/** The place in the console that asks for this. */
export const callsPlace = ({ choice, from, to, leadType, source, outcome }: CallsAsked): string => {
  const query = new URLSearchParams({
    ...((choice === '1' || choice === '7') && { days: choice }),
    ...(choice === 'custom' && { from, to }),
    ...(leadType !== '' && { lead_type: leadType }),
    ...(source !== '' && { lead_source: source }),
    ...(outcome && { outcome }),
  })
  return query.size === 0 ? 'calls' : `calls?${query}`
}

/** The first and the last day. `today`: by the clock of the service. */
export const shownPeriod = ({ choice, from, to }: CallsAsked, today: string): Period =>
  choice === 'custom' ? { from, to } : { from: daysAfter(today, 1 - Number(choice)), to: today }

export const statisticsQuery = (asked: CallsAsked, today: string): StatisticsQuery => ({
  ...shownPeriod(asked, today),
  ...(asked.leadType !== '' && { lead_type: Number(asked.leadType) }),
  ...(asked.source !== '' && { lead_source: asked.source }),
})

/** Why a period cannot be shown, by its end to blame. */
export const mistakesIn = (from: string, to: string): Partial<Period> => {
  const words = texts.callsView
  if (from === '' || to === '') return { ...(from === '' && { from: words.missing }), ...(to === '' && { to: words.missing }) }
  const days = dayCount({ from, to })
  if (days < 1) return { to: words.reversed }
  return days > LONGEST_PERIOD ? { from: words.tooLong(days, LONGEST_PERIOD) } : {}
}
