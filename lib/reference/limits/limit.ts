/** A thing, its limit, and the effect beyond it. */
export type Limit = readonly [what: string, most: string, beyond: string]

export interface Limits {
  readonly heading: string
  readonly limits: readonly Limit[]
}
