import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import { ToolRequestModel } from '@elevenlabs/elevenlabs-js/serialization/types/ToolRequestModel.js'

/** A tool's definition, read as the vendor's own package reads it. */
export const elevenLabsTool = (definition: unknown): ElevenLabs.WebhookToolConfigInput & { readonly type: string } => {
  const { toolConfig } = ToolRequestModel.parseOrThrow(definition, { unrecognizedObjectKeys: 'fail' })
  return toolConfig as ElevenLabs.WebhookToolConfigInput & { type: string }
}
