import * as v from 'valibot'
import { CallReport } from '#shared/agents/api/call-report.ts'
import type { Translation } from '#shared/agents/voice-agent.ts'
import type { ReportedOutcome } from '#shared/calling/call.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import type { Output } from '../output.ts'
import { dataOf, inWords } from './plain-words.ts'

/** The outcome of a call, reported or presumed. */
export interface TrialOutcome {
  readonly outcome: ReportedOutcome
  readonly isPresumed: boolean
  readonly messageLeft: boolean
  readonly callback: Instant | null
}

interface HeardOptions {
  readonly output: Output
  readonly callId: string
  readonly now: () => Instant
  /** Called after each report that is new. */
  readonly onNews: () => void
}

/** Collects the reports of a trial. Prints each of them once, although callbacks and polls repeat it. */
export const newHeard = ({ output, callId, now, onNews }: HeardOptions) => {
  const seen = new Set<string>()
  let completed: TrialOutcome | undefined
  let refused: Translation['refusal']
  let platformCall: string | null = null
  let ended: { readonly at: Instant; readonly outcome: TrialOutcome | undefined } | undefined

  const remember = (report: CallReport): void => {
    if (report.type === 'call.completed') {
      const { outcome, message_left, callback_time } = report.data
      completed ??= { outcome, isPresumed: false, messageLeft: message_left ?? false, callback: callback_time }
    }
    if (report.type === 'call.ended' && !ended?.outcome) {
      const outcome = report.data?.presumed_outcome
      ended = { at: ended?.at ?? now(), outcome: outcome ? { outcome, isPresumed: true, messageLeft: false, callback: null } : undefined }
    }
  }

  const take = (report: CallReport): void => {
    const data = dataOf(report)
    const mark = report.event_id ?? JSON.stringify([report.type, report.time, data])
    // A poll may repeat an end and know more: the outcome that it presumes.
    remember(report)
    if (seen.has(mark)) return
    seen.add(mark)
    output.line({ type: report.type, time: new Date(report.time).toISOString(), data }, inWords(report))
    onNews()
  }

  return {
    take,
    takeTranslation: ({ callId: named, platformCallId, reports, refusal, unknown }: Translation): void => {
      if (named !== null && named !== callId) {
        output.note('An event of the platform is about another call.')
        return
      }
      platformCall ??= platformCallId
      if (unknown !== undefined) output.note(`The platform sent something that this version does not know: ${unknown}`)
      if (refusal !== undefined) {
        refused ??= refusal
        onNews()
      }
      for (const report of reports) {
        const read = v.safeParse(CallReport, { ...report, call_id: callId, provider_call_id: platformCallId })
        if (read.success) take(read.output)
        else output.note(`A report of the type ${report.type} could not be read.`)
      }
    },
    hasAny: () => seen.size > 0 || platformCall !== null,
    /** The platform's id of the call, as an event named it. */
    platformCallId: () => platformCall,
    isComplete: () => completed !== undefined || refused !== undefined,
    /** Why the platform did not place the call after all, although it had accepted it. */
    refusal: () => refused,
    endedAt: () => ended?.at,
    outcome: () => completed ?? ended?.outcome,
  }
}
export type Heard = ReturnType<typeof newHeard>
