import { REPORTED_OUTCOMES, type ReportedOutcome } from '#shared/calling/call.ts'
import { startOpenEmulator } from '#test/support/platforms/open-emulator.ts'
import { kindBy, type Played, type PlayedPlatform, type Stage } from './played-platform.ts'

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`

const outcomeIn = (end: string | undefined): ReportedOutcome | undefined => REPORTED_OUTCOMES.find((outcome) => outcome === end)

const start = async ({ now, endOf }: Stage, isForgetful: boolean): Promise<Played> => {
  const emulator = await startOpenEmulator({ secret: SECRET, now, isForgetful, script: (to) => outcomeIn(endOf(to)) })
  return {
    emulator,
    account: { assistant: '', apiKey: '', secrets: [SECRET] },
    end: (id, end) => emulator.finish(id, outcomeIn(end) ?? 'unknown'),
  }
}

export const playOpen: PlayedPlatform = {
  name: 'open',
  ends: REPORTED_OUTCOMES,
  typical: 'completed',
  isNeverPolled: true,
  start: (stage) => start(stage, false),
  kindOf: kindBy([
    [/^POST .*\/cancel$/, 'cancel'],
    [/^POST /, 'dial'],
  ]),
}

/** A platform that dials again when it is asked again, and that cannot be asked how a call goes. */
export const playForgetful: PlayedPlatform = { ...playOpen, name: 'forgetful', start: (stage) => start(stage, true) }
