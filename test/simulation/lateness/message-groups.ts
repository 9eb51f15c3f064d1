/** The messages of one owner: the visible ones in order, and the number in flight. */
export interface Group<Message> {
  readonly ready: Message[]
  inFlight: number
}

/**
 * Picks the group of the next message: the group with the fewest in flight. For a tie, or a queue that is not fair: the group of the oldest
 * message.
 */
export const nextGroup = <Message extends { readonly visible: number }>(
  groups: Iterable<Group<Message>>,
  isFair: boolean,
): Group<Message> | undefined => {
  let best: Group<Message> | undefined
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
