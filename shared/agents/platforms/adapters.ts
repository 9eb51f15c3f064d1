import type { Adapter } from './adapter.ts'
import { blandAdapter } from './bland/adapter.ts'
import { connectAdapter } from './connect/adapter.ts'
import { elevenLabsAdapter } from './elevenlabs/adapter.ts'
import { openAdapter } from './open/adapter.ts'
import { retellAdapter } from './retell/adapter.ts'
import { telnyxAdapter } from './telnyx/adapter.ts'
import { twilioAdapter } from './twilio/adapter.ts'
import { vapiAdapter } from './vapi/adapter.ts'

/**
 * Every voice platform, by the name that the operator's file uses. A new platform is a folder, and a line here and in `CHECKS`. Exported for
 * a simulation, which adds platforms of its own.
 */
export const ADAPTERS: Readonly<Record<string, Adapter>> = {
  open: openAdapter,
  bland: blandAdapter,
  connect: connectAdapter,
  elevenlabs: elevenLabsAdapter,
  retell: retellAdapter,
  telnyx: telnyxAdapter,
  twilio: twilioAdapter,
  vapi: vapiAdapter,
}

export const adapterOf = (platform: string): Adapter | undefined => (Object.hasOwn(ADAPTERS, platform) ? ADAPTERS[platform] : undefined)

/** The platforms that an operator can name. Our own protocol is the default, and has no name. */
export const PLATFORM_NAMES: readonly string[] = Object.keys(ADAPTERS).filter((name) => name !== 'open')
