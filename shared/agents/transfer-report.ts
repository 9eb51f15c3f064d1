import * as v from 'valibot'
import { absentAsNull, Instant } from '../platform/values/values.ts'

/** In the order in which they happen. */
export const TRANSFER_STEPS = ['initiated', 'connected', 'ended'] as const

/** One report of an agent about a transfer. */
export const TransferReport = v.object({
  step: v.picklist(TRANSFER_STEPS),
  /** By the agent's clock. It distinguishes reports and orders them. */
  told_time: Instant,
  /** By our clock. */
  time: Instant,
  mode: absentAsNull(v.string()),
  destination: absentAsNull(v.string()),
  /** Why the transfer ended, in the agent's words. */
  reason: absentAsNull(v.string()),
})
export type TransferReport = v.InferOutput<typeof TransferReport>
