import * as v from 'valibot'
import { CallReport } from '../agents/api/call-report.ts'
import type { Translation } from '../agents/voice-agent.ts'
import type { ErasedCall } from '../erasure/erased-call-store.ts'
import { now } from '../platform/clock.ts'
import { logger } from '../platform/logger.ts'
import type { Call } from './call.ts'
import { recordMilestones } from './call-store.ts'
import { heardAt } from './rules/silence.ts'
import { applyLateReport, applyReport } from './take-report.ts'

/** The reports of a translation about a call. A report that does not fit our own protocol is logged and left out. */
const reportsOf = (callId: string, { platformCallId, reports, unknown }: Translation): CallReport[] => {
  if (unknown !== undefined) logger.warn('A platform sent something that is not documented.', { call: callId, unknown })
  return reports.flatMap((report) => {
    const read = v.safeParse(CallReport, { ...report, call_id: callId, provider_call_id: platformCallId })
    if (read.success) return read.output
    logger.error('A report of a platform could not be read.', { call: callId, type: report.type, issues: v.flatten(read.issues) })
    return []
  })
}

/**
 * Applies what a platform told about a call, by a callback or when it was polled. Safe to repeat.
 * @param text what the platform sent; it recognises a repeat
 * @returns the call afterwards; undefined when it no longer exists
 */
export const applyTranslation = async (call: Call, translation: Translation, text: string): Promise<Call | undefined> => {
  const reports = reportsOf(call.call_id, translation)
  const seen = { ...heardAt(now()), provider_call_id: translation.platformCallId, on_platform: true }
  // Any event shows that the call is alive, and an event may be the first that names the platform's call.
  let current = reports.length === 0 || call.on_platform === null ? await recordMilestones(call, seen) : call
  for (const report of reports) current = current && (await applyReport(current, report, text))
  return current
}

/** As `applyTranslation`, after the erasure of the call's person: only a stop is accepted. */
export const applyLateTranslation = async (call: ErasedCall, translation: Translation): Promise<void> => {
  for (const report of reportsOf(call.call_id, translation)) await applyLateReport(call, report)
}
