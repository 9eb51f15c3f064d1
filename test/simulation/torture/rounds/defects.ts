import type { Adapter } from '#shared/agents/platforms/adapter.ts'

/**
 * Defects that show whether the checks can fail: a platform is asked again that dials again, a call is never polled, or a call whose answer
 * was lost is never looked up.
 */
export const ROUND_DEFECTS = ['findable-again', 'neither-again', 'no-poll', 'no-look-up'] as const
export type RoundDefect = (typeof ROUND_DEFECTS)[number]

/** The adapter with the defect, if it is of the kind that the defect concerns. */
export const damaged = (adapter: Adapter, defect: RoundDefect | null): Adapter => {
  const { kind } = adapter.repeats
  const again: Adapter = { ...adapter, repeats: { kind: 'repeatable', seconds: 30 } }
  if (defect === 'findable-again' && kind === 'findable') return again
  if (defect === 'neither-again' && kind === 'neither') return again
  const { poll, find, ...rest } = adapter
  if (defect === 'no-poll' && find) return { ...rest, find }
  if (defect === 'no-look-up' && poll) return { ...rest, poll, repeats: kind === 'findable' ? { kind: 'neither' } : adapter.repeats }
  return adapter
}
