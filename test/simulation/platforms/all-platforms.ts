import { playBland } from './play-bland.ts'
import { playConnect } from './play-connect.ts'
import { playElevenLabs } from './play-elevenlabs.ts'
import { playOpen } from './play-open.ts'
import { playRetell } from './play-retell.ts'
import { playTelnyx } from './play-telnyx.ts'
import { playTwilio } from './play-twilio.ts'
import { playVapi } from './play-vapi.ts'
import type { PlayedPlatform } from './played-platform.ts'

/** Every platform that has an adapter, and our own protocol. */
export const PLAYED: readonly PlayedPlatform[] = [
  playOpen,
  playBland,
  playConnect,
  playElevenLabs,
  playRetell,
  playTelnyx,
  playTwilio,
  playVapi,
]
