import { afterEach, beforeEach } from '@jest/globals'

const { now: machineNow } = Date

/** Stops the machine's clock while each test runs, so that a slow machine takes no longer. @returns a function that moves it forward */
export const stoppedMachineClock = (): ((milliseconds: number) => void) => {
  let at = 0
  beforeEach(() => {
    at = machineNow()
    Date.now = () => at
  })
  afterEach(() => {
    Date.now = machineNow
  })
  return (milliseconds) => {
    at += milliseconds
  }
}
