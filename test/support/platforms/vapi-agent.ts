import { startVapiEmulator } from './vapi-emulator.ts'
import {
  SOUND_ASSISTANT,
  SOUND_NUMBER,
  STANDARD_CREDENTIAL,
  VAPI_ASSISTANT,
  VAPI_CREDENTIAL,
  VAPI_NUMBER,
  VAPI_SECRET,
} from './vapi-world.ts'

type Options = Partial<Parameters<typeof startVapiEmulator>[0]>

/** An agent on a Vapi emulator where everything is set up, for `platformCalls`. */
export const startVapiAgent = async (now: () => number, options: Options = {}) => {
  const platform = await startVapiEmulator({
    apiKey: 'key',
    assistants: { [VAPI_ASSISTANT]: SOUND_ASSISTANT },
    phoneNumbers: { [VAPI_NUMBER]: SOUND_NUMBER },
    credentials: { [VAPI_CREDENTIAL]: STANDARD_CREDENTIAL },
    ...options,
    now,
  })
  const settings = { credential_id: VAPI_CREDENTIAL }
  const from = { number: SOUND_NUMBER.number, id: VAPI_NUMBER }
  return { platform, name: 'vapi', apiKey: 'key', callbackSecret: VAPI_SECRET, assistant: VAPI_ASSISTANT, settings, from }
}
