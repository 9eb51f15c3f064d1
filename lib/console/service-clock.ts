import { useEffect, useState } from 'preact/hooks'
import { SECOND } from '#shared/platform/values/durations.ts'

/** What the clock of the service showed when the page was opened, in epoch milliseconds. Before the first answer: the computer's clock. */
let start = Date.now() - performance.now()

/** Takes the time from the header `Date` of an answer. The clock of the computer may be wrong. */
export const takeServiceTime = ({ headers }: Response): void => {
  const reported = Date.parse(headers.get('date') ?? '') - performance.now()
  if (Number.isNaN(reported)) return
  // The header has whole seconds, so it is late by up to one. Keep the latest, so that no duration shrinks.
  start = Math.abs(reported - start) > 2 * SECOND ? reported : Math.max(start, reported)
}

/** The time by the clock of the service, in epoch milliseconds. */
export const serviceTime = (): number => start + performance.now()

/** The same. The component is drawn again each second. */
export const useServiceTime = (): number => {
  const [, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((seconds) => seconds + 1), SECOND)
    return () => clearInterval(timer)
  }, [])
  return serviceTime()
}
