import type { Check } from './adapter.ts'
import { checkBland } from './bland/check.ts'
import { checkConnect } from './connect/check.ts'
import { checkElevenLabs } from './elevenlabs/check.ts'
import { checkRetell } from './retell/check.ts'
import { checkTelnyx } from './telnyx/check.ts'
import { checkTwilio } from './twilio/check.ts'
import { checkVapi } from './vapi/check.ts'

/** The check of each voice platform, by the name of its adapter. Not part of the adapters: only the commands of operators use it. */
export const CHECKS: Readonly<Record<string, Check>> = {
  bland: checkBland,
  connect: checkConnect,
  elevenlabs: checkElevenLabs,
  retell: checkRetell,
  telnyx: checkTelnyx,
  twilio: checkTwilio,
  vapi: checkVapi,
}
