/** The first character of a record tells for which comparison it is, such as leads with pointers. */
export const TAGS = {
  person: 'a',
  pointer: 'b',
  promise: 'c',
  holeCount: 'd',
  list: 'e',
  stop: 'f',
  suspect: 'g',
} as const

export type Tag = keyof typeof TAGS
