import type { Agent } from '#shared/accounts/configuration.ts'
import { CREDENTIALS } from './engines/engine.ts'

/**
 * Why an agent on Amazon Connect cannot call with the credentials of a local service, which are no AWS account's. An emulator takes any.
 * @returns undefined when nothing shows that it cannot
 */
export const withoutAws = (
  { id, url, platform }: Pick<Agent, 'id' | 'url' | 'platform'>,
  accessKeyId = process.env['AWS_ACCESS_KEY_ID'],
): string | undefined =>
  platform?.name === 'connect' && url.endsWith('.amazonaws.com') && accessKeyId === CREDENTIALS.accessKeyId
    ? `The agent ${id} is on Amazon Connect. A local service has no AWS account, so such an agent cannot call there. Use a deployment: see docs/voice-platforms.md.`
    : undefined
