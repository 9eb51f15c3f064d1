import { BLAND_ENDS, startBlandEmulator } from '#test/support/platforms/bland-emulator.ts'
import { FROM, kindBy, type PlayedPlatform, scriptIn } from './played-platform.ts'

export const playBland: PlayedPlatform = {
  name: 'bland',
  ends: Object.keys(BLAND_ENDS),
  typical: 'person_hung_up',
  start: async ({ now, endOf }) => {
    const emulator = await startBlandEmulator({ numbers: [FROM.number], now, script: endOf })
    return {
      emulator,
      account: { assistant: 'pathway_1', apiKey: 'sk_test', callbackSecret: 'bland_secret' },
      end: (id, end) => emulator.finish(id, scriptIn(BLAND_ENDS)(end)),
    }
  },
  kindOf: kindBy([
    [/^POST \/v1\/calls$/, 'dial'],
    [/^POST .*\/stop$/, 'cancel'],
    [/^GET \/v1\/calls\?/, 'search'],
    [/^GET \/v1\/calls\//, 'read'],
  ]),
}
