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

export const findingLine = (finding: Finding): string => {
  const { what, value, unit, most } = finding
  const verdict = most === null ? '' : isBroken(finding) ? `  BROKEN: at most ${most}` : `  (at most ${most})`
  return `  ${what.padEnd(66)} ${String(Math.round(value * 100) / 100).padStart(12)} ${unit}${verdict}`
}
