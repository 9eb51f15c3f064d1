/** The first character of a record tells for which comparison it is, such as leads with pointers. */
export const TAGS = {
  person: 'a',
  pointer: 'b',
  promise: 'c',
  dayCount: 'd',
  holeCount: 'e',
  list: 'f',
  stop: 'g',
  suspect: 'h',
} as const

export type Tag = keyof typeof TAGS
