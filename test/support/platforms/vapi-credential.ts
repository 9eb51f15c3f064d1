import { createHmac } from 'node:crypto'
import type { Vapi } from '@vapi-ai/server-sdk'

export type VapiCredential =
  | ({ readonly type: 'hmac' } & Vapi.HmacAuthenticationPlan)
  | ({ readonly type: 'bearer' } & Vapi.BearerAuthenticationPlan)

/** The headers that a credential adds to a callback. */
export const vapiSignature = (plan: VapiCredential, body: string, url: string, stamp: string, id: string): Record<string, string> => {
  if (plan.type === 'bearer') {
    return { [plan.headerName ?? 'Authorization']: (plan.bearerPrefixEnabled ?? true) ? `Bearer ${plan.token}` : plan.token }
  }
  const values: Record<string, string> = { body, timestamp: stamp, method: 'POST', url, 'svix-id': id }
  const payload = (plan.payloadFormat ?? '{timestamp}.{body}').replace(/\{([a-z-]+)\}/g, (whole, name) => values[name] ?? whole)
  const key = plan.secretIsBase64 ? Buffer.from(plan.secretKey, 'base64') : plan.secretKey
  const signature = createHmac(plan.algorithm, key)
    .update(payload)
    .digest(plan.signatureEncoding ?? 'hex')
  return {
    [plan.signatureHeader ?? 'x-signature']: `${plan.signaturePrefix ?? ''}${signature}`,
    [plan.timestampHeader ?? 'x-timestamp']: stamp,
    ...(plan.messageIdHeader && { [plan.messageIdHeader]: id }),
  }
}
