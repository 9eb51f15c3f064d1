import type { DayWindow } from '../../calling-rules.ts'

const minutesFrom = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** A window of two times of day, `HH:MM`, in minutes from midnight. */
export const windowFrom = (times: readonly [string, string] | null): DayWindow | null =>
  times && [minutesFrom(times[0]), minutesFrom(times[1])]
