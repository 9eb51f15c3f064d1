import type { Statistics } from '../../client/operations.ts'
import type { texts } from '../texts.ts'

/** A part of a column in a chart of calls. */
export type ColumnPart = keyof typeof texts.callsView.parts

export type ShownOutcome = keyof Statistics['calls']['by_outcome']

/** Outcomes that mean nearly the same have one colour: twelve colours would be too many to tell apart. */
const PARTS: Readonly<Record<ShownOutcome, ColumnPart>> = {
  COMPLETED_CLOSED_LIVE_TRANSFER: 'transfer',
  COMPLETED: 'over',
  COMPLETED_CLOSED_OTHER: 'over',
  COMPLETED_LAST_CALL: 'over',
  COMPLETED_STOP_CALLING: 'over',
  LEFT_VOICEMAIL: 'voicemail',
  WENT_TO_VOICEMAIL: 'voicemail',
  DIAL_BUSY: 'unreached',
  DIAL_FAILED: 'unreached',
  DIAL_NO_ANSWER: 'unreached',
  UNKNOWN: 'unknown',
  FAILED: 'refused',
}

export const isOutcome = (text: string): text is ShownOutcome => Object.hasOwn(PARTS, text)

export const OUTCOMES = Object.keys(PARTS).filter(isOutcome)

/** Calls by outcome as the parts of a column. `only`: leave the other outcomes out. */
export const outcomeParts = (byOutcome: Readonly<Record<ShownOutcome, number>>, only: ShownOutcome | undefined) => {
  const parts: Partial<Record<ColumnPart, number>> = {}
  for (const outcome of only ? [only] : OUTCOMES) parts[PARTS[outcome]] = (parts[PARTS[outcome]] ?? 0) + byOutcome[outcome]
  return parts
}
