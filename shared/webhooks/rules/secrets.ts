import type { User } from '../../accounts/configuration.ts'
import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'

/** Milliseconds for which the older secret signs beside the new one. Receivers have a day to learn it. */
export const OVERLAP = DAY

type Secrets = Pick<User, 'webhook_secrets' | 'older_secret_until'>

/** The secrets that sign at an instant, the newest first: two during a rotation. */
export const signingSecrets = ({ webhook_secrets: secrets, older_secret_until: until }: Secrets, at: Instant): readonly string[] =>
  secrets.slice(0, until !== null && until <= at ? 1 : 2)

/** Adds a new secret. The previous newest one signs for one more day; any older one ends at once. */
export const rotateSecrets = (user: Secrets, secret: string, at: Instant): Secrets => {
  const [newest] = user.webhook_secrets
  return newest === undefined
    ? { webhook_secrets: [secret], older_secret_until: null }
    : { webhook_secrets: [secret, newest], older_secret_until: at + OVERLAP }
}
