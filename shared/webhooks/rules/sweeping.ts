import { MINUTE } from '../../platform/values/durations.ts'

/**
 * Whether this minute's sweep resends a delivery that has been overdue for this long.
 * Its message may be lost. It may also wait in a long queue, which more messages would make longer. The sweep sends each minute at first,
 * then less and less often.
 */
export const isSweepToSendAgain = (overdueFor: number): boolean => {
  const minutes = Math.floor(overdueFor / MINUTE)
  const interval = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, minutes))) - 2)
  return minutes % interval === 0
}
