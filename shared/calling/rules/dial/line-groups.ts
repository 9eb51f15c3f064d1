/**
 * An owner's lines are kept in groups, so that no item is written for each call of an owner with thousands of lines. A group holds the ids
 * of its calls, so that taking and freeing a line can be repeated.
 */

/** Lines in a group. An item with so many call ids takes one write unit. */
const LINES_PER_GROUP = 40

/**
 * Calls that the first group takes alone. An owner with few calls then has a single item, which is read with the pauses. An owner with many
 * spreads them over all groups.
 */
export const FIRST_CALLS = LINES_PER_GROUP / 2

export const groupsFor = (limit: number): number => Math.max(1, Math.ceil(limit / LINES_PER_GROUP))

/** How many of an owner's lines belong to a group. */
export const linesIn = (group: number, limit: number): number => Math.min(LINES_PER_GROUP, Math.max(0, limit - group * LINES_PER_GROUP))

/** The lines among which a dial looks for a free one: those of a group or, when that one is full, all. */
export interface SeenLines {
  readonly group: number
  /** Calls that the group may have: its lines, or fewer while other groups have more calls than lines. */
  readonly most: number
  readonly inUse: number
  readonly limit: number
}
