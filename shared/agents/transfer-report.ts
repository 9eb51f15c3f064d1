import * as v from 'valibot'
import { absentAsNull, Instant } from '../platform/values/values.ts'

/** In the order in which they follow each other. */
export const TRANSFER_STEPS = ['initiated', 'connected', 'ended'] as const

/** What an agent has told of a transfer, once. */
export const TransferReport = v.object({
  step: v.picklist(TRANSFER_STEPS),
  /** By the agent's clock: it tells one report from another, and their order. */
  told_time: Instant,
  /** By ours. */
  time: Instant,
  mode: absentAsNull(v.string()),
  destination: absentAsNull(v.string()),
  /** Why it ended, in the agent's words. */
  reason: absentAsNull(v.string()),
})
export type TransferReport = v.InferOutput<typeof TransferReport>
