import type { QueueMessage } from './queue.ts'

/** The messages of one owner: those that can be received, in their order, and how many somebody has. */
export interface Group {
  readonly ready: QueueMessage[]
  inFlight: number
}

/**
 * Whose message is received next: that of the group with the fewest in flight, or, when the queue is not fair or they are equal,
 * the one that has been there for longest.
 */
export const nextGroup = (groups: Iterable<Group>, isFair: boolean): Group | undefined => {
  let best: Group | undefined
  for (const group of groups) {
    const first = group.ready[0]
    const other = best?.ready[0]
    if (!first) continue
    const isBetter =
      !best || !other || (isFair && group.inFlight !== best.inFlight ? group.inFlight < best.inFlight : first.visible < other.visible)
    if (isBetter) best = group
  }
  return best
}
