import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { readWebhook, verifySignature, WebhookSignatureError } from '#lib/client/index.ts'

/** The example of the Standard Webhooks specification. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = '{"test": 2432232314}'
const NOW = 1614265330_000
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const OTHER_SECRET = 'whsec_b3RoZXIgc2VjcmV0'

const given = { body: BODY, headers: HEADERS, secrets: SECRET, now: NOW }
const signedBy = (secret: string, body = BODY): string => new Webhook(secret).sign(HEADERS['webhook-id'], new Date(NOW), body)
const withSignature = (signature: string) => ({ ...given, headers: { ...HEADERS, 'webhook-signature': signature } })

describe('the verification of a webhook', () => {
  it.each([
    ['the example of the specification', given],
    ['the headers of fetch', { ...given, headers: new Headers(HEADERS) }],
    ['headers in another case', { ...given, headers: { ...HEADERS, 'webhook-id': undefined, 'Webhook-Id': HEADERS['webhook-id'] } }],
    ['a body of bytes', { ...given, body: new TextEncoder().encode(BODY) }],
    ['a secret without its prefix', { ...given, secrets: SECRET.replace('whsec_', '') }],
    ['a signature of the old secret', { ...given, secrets: [OTHER_SECRET, SECRET] }],
    ['one of several signatures', withSignature(`v1,bad v1a,${'A'.repeat(86)} ${signedBy(OTHER_SECRET)} ${signedBy(SECRET)}`)],
    ['a request five minutes old', { ...given, now: NOW + 300_000 }],
    ['a request of a clock five minutes ahead', { ...given, now: NOW - 300_000 }],
  ])("the client's check of a webhook accepts %s", async (_, signed) => {
    await expect(readWebhook(signed)).resolves.toEqual({ test: 2432232314 })
  })

  it.each([
    ['another body', { ...given, body: '{"test": 2432232315}' }, 'No signature matches a secret.'],
    ['another id', { ...given, headers: { ...HEADERS, 'webhook-id': 'msg_2' } }, 'No signature matches a secret.'],
    ['another secret', { ...given, secrets: OTHER_SECRET }, 'No signature matches a secret.'],
    ['no secret in the list', { ...given, secrets: [] }, 'No signature matches a secret.'],
    ['a signature of another version', withSignature(signedBy(SECRET).replace('v1,', 'v2,')), 'No signature matches a secret.'],
    ['a signature that is not base64', withSignature('v1,*'), 'No signature matches a secret.'],
    ['a signature cut short', withSignature(signedBy(SECRET).slice(0, -8)), 'No signature matches a secret.'],
    ['a missing header', { ...given, headers: { ...HEADERS, 'webhook-signature': undefined } }, 'The header webhook-signature is missing.'],
    ['a timestamp that is no number', { ...given, headers: { ...HEADERS, 'webhook-timestamp': '1e9' } }, 'not a number of seconds'],
    ['an old request', { ...given, now: NOW + 301_000 }, 'The request was signed 301 seconds ago.'],
    ['a request of the future', { ...given, now: NOW - 301_000 }, 'The request was signed 301 seconds in the future.'],
  ])("the client's check of a webhook refuses %s", async (_, signed, message) => {
    const refusal = verifySignature(signed)
    await expect(refusal).rejects.toThrow(message)
    await expect(refusal).rejects.toBeInstanceOf(WebhookSignatureError)
  })

  it("the client's check of a webhook accepts what the package standardwebhooks signs, whatever the text", async () => {
    for (const body of ['', '{}', '{"name":"Ж 😀"}', 'x'.repeat(100_000)]) {
      await expect(verifySignature({ ...withSignature(signedBy(SECRET, body)), body })).resolves.toBeUndefined()
    }
  })

  it('the client says that a secret is malformed, instead of refusing all webhooks', async () => {
    await expect(verifySignature({ ...given, secrets: 'whsec_…' })).rejects.toThrow('A webhook secret is whsec_ and text in base64.')
  })
})
