/** What is limited, to how much, and what happens beyond. */
export type Limit = readonly [what: string, most: string, beyond: string]

export interface Limits {
  readonly heading: string
  readonly limits: readonly Limit[]
}
