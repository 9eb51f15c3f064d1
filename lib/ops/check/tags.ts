/** The first character of a record says with which other records it is compared. */
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
