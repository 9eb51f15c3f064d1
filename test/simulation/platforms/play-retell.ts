import { RETELL_REASONS, type RetellReason, startRetellEmulator } from '#test/support/platforms/retell-emulator.ts'
import { FROM, kindBy, type PlayedPlatform } from './played-platform.ts'

const REASONS = Object.keys(RETELL_REASONS) as RetellReason[]
const reasonIn = (end: string | undefined): RetellReason | undefined => REASONS.find((reason) => reason === end)

export const playRetell: PlayedPlatform = {
  name: 'retell',
  ends: REASONS,
  typical: 'user_hangup',
  start: async ({ now, endOf }) => {
    const emulator = await startRetellEmulator({ numbers: [FROM.number], now, script: (to) => reasonIn(endOf(to)) })
    return {
      emulator,
      account: { assistant: 'agent_1', apiKey: 'key_test' },
      end: (id, end) => emulator.play(id, reasonIn(end) ?? 'error_unknown'),
    }
  },
  kindOf: kindBy([
    [/^POST \/v2\/create-phone-call$/, 'dial'],
    [/^POST \/v2\/stop-call/, 'cancel'],
    [/^POST \/v3\/list-calls$/, 'search'],
    [/^GET \/v2\/get-call/, 'read'],
  ]),
}
