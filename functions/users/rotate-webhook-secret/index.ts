import { now } from '#shared/adapters/clock.ts'
import { newWebhookSecret } from '#shared/adapters/webhook-secret.ts'
import { notFound } from '#shared/domain/errors.ts'
import { formatInstant } from '#shared/domain/time.ts'
import { rotateSecrets } from '#shared/domain/webhooks/secrets.ts'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { NoFields } from '#shared/schema/fields/only-fields.ts'
import { changeSecrets } from '#shared/storage/users.ts'

export const handler = api({ auth: 'token', body: NoFields, forms: true }, async ({ user, reservation }) => {
  const secret = newWebhookSecret()
  const rotated = await changeSecrets(user.id, reservation(0).name ?? null, (before) => rotateSecrets(before, secret, now()))
  if (!rotated) throw notFound()
  const { webhook_secrets: secrets, older_secret_until: until } = rotated
  return ok({ webhook_secret: secrets[0], previous_secret_valid_until: until === null ? null : formatInstant(until) })
})
