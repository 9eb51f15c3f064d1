import { now } from '../platform/clock.ts'
import { invalid } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import { whyNoTime } from './api/consent-request.ts'

/**
 * @param field of a request in which the record is only one field
 * @throws ServiceError of validation under `time`, or under that field
 */
export const checkTime = (time: Instant, field?: string): void => {
  const problem = whyNoTime(time, now())
  if (problem !== undefined) throw invalid(field === undefined ? { time: [problem] } : { [field]: [`time: ${problem}`] })
}
