import type { Invoke } from '../model.ts'
import type { TargetFor } from './targets.ts'

/** Sends each event to its target twice. */
export const sendingTwice =
  (targetFor: TargetFor): TargetFor =>
  (arn) => {
    const send = targetFor(arn)
    return async (...event) => {
      await Promise.all([send(...event), send(...event)])
    }
  }

/** Invokes a function twice for each event, one after the other. The second runs even if the first fails; its result counts. */
export const invokingTwice =
  (invoke: Invoke): Invoke =>
  async (...event) => {
    await invoke(...event)
    return invoke(...event)
  }
