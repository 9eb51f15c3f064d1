import type { Deployment } from '../lateness/deployment.ts'

export interface Size {
  readonly lines: number
  readonly lanes: number
  readonly bulks: number
  readonly deliveries: number
  /** For which is counted. */
  readonly seconds: number
  readonly seed: number
}

/** One phase: the same load, on a table that takes so many write units a second. Null: it takes everything. */
export interface Order {
  readonly size: Size
  readonly deployment: Deployment
  readonly most: number | null
}
