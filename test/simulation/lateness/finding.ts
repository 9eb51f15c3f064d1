/** A measured value. `most`: its upper bound, or null if there is none. */
export interface Finding {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly most: number | null
}

export const isBroken = ({ value, most }: Finding): boolean => most !== null && !(value <= most)

export const told = (what: string, value: number, unit: string): Finding => ({ what, value, unit, most: null })
export const bound = (what: string, value: number, unit: string, most: number): Finding => ({ what, value, unit, most })
