import type { Invoke } from '../model.ts'
import type { TargetFor } from './targets.ts'

/** Whatever goes to a target is sent twice. */
export const sendingTwice =
  (targetFor: TargetFor): TargetFor =>
  (arn) => {
    const send = targetFor(arn)
    return async (...event) => {
      await Promise.all([send(...event), send(...event)])
    }
  }

/** A function gets each event twice, one after the other, however it takes the first; the second one's answer counts. */
export const invokingTwice =
  (invoke: Invoke): Invoke =>
  async (...event) => {
    await invoke(...event)
    return invoke(...event)
  }
