import type { CallEnd } from './open-report.ts'

/** Statuses with which a network ends a call that nobody answered. */
const ENDS: ReadonlyMap<string, CallEnd> = new Map([
  ['404', 'disconnected'],
  ['410', 'disconnected'],
  ['604', 'disconnected'],
  ['408', 'no_answer'],
  ['480', 'no_answer'],
  ['486', 'busy'],
  ['600', 'busy'],
  ['603', 'busy'],
  ['607', 'busy'],
  ['608', 'busy'],
])

/** @returns undefined when the status is missing or is no failure */
export const endBySipStatus = (status: string | null): CallEnd | undefined =>
  status !== null && /^[4-6]\d\d$/.test(status) ? (ENDS.get(status) ?? 'failed') : undefined
