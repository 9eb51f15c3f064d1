import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { setClock } from './clock.ts'
import { NOON } from './samples.ts'

/** Runs the first sweeps of a deployment. They record its calling hours. */
export const sweepNewDeployment = async (): Promise<void> => {
  for (const minutes of [0, 2]) {
    setClock(NOON + minutes * MINUTE)
    await dispatchDue()
  }
}
