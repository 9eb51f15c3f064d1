/** Where a page of a list begins that has no numbered pages. */
export interface Cursor {
  readonly direction: 'next' | 'previous'
  /** The page begins behind this entry, seen in its direction. */
  readonly at: string
  /** The count on the first page. */
  readonly count: number
}

/** A page beside another one. Undefined: there is none. */
export type Neighbour = Cursor | 'first' | undefined
