import { changeSecrets } from '#shared/accounts/user-store.ts'
import { newWebhookSecret } from '#shared/accounts/webhook-secret.ts'
import { api } from '#shared/http/api.ts'
import { NoFields } from '#shared/http/fields/only-fields.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
import { notFound } from '#shared/platform/values/errors.ts'
import { formatInstant } from '#shared/platform/values/time.ts'
import { rotateSecrets } from '#shared/webhooks/rules/secrets.ts'

export const handler = api({ auth: 'token', body: NoFields, forms: true }, async ({ user, reservation }) => {
  const secret = newWebhookSecret()
  const rotated = await changeSecrets(user.id, reservation(0).name ?? null, (before) => rotateSecrets(before, secret, now()))
  if (!rotated) throw notFound()
  const { webhook_secrets: secrets, older_secret_until: until } = rotated
  return ok({ webhook_secret: secrets[0], previous_secret_valid_until: until === null ? null : formatInstant(until) })
})
