import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { vapiAdapter } from '#shared/agents/platforms/vapi/adapter.ts'
import { type VapiCredential, vapiSignature } from '#test/support/platforms/vapi-credential.ts'
import { STANDARD_CREDENTIAL, VAPI_SECRET } from '#test/support/platforms/vapi-world.ts'

const BODY = '{"event":"call_ended","call":{"call_id":"c1"}}'
const AT = 1_795_000_000_000

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const verify = (
  callbackSecret: string | null,
  headers: Readonly<Record<string, string>>,
  changes: { at?: number; rawBody?: string } = {},
) =>
  vapiAdapter.verify(
    { api: '', assistant: '', apiKey: '', callbackSecret, settings: {} },
    { url: 'https://example.com/', rawBody: BODY, at: AT, headers: lowerCase(headers), ...changes },
  )

describe('a callback as Standard Webhooks', () => {
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1795000000',
    'webhook-signature': 'v1,CHiRSrocYrX6qc2vMo4eG3UMgWK0XVWyzls447DHsN0=',
  }

  it('a callback of Vapi as Standard Webhooks is verified as the test vector says', () => {
    expect(verify(VAPI_SECRET, headers)).toBe(true)
    expect(vapiSignature(STANDARD_CREDENTIAL, BODY, '', '1795000000', 'msg_1')).toEqual(headers)
  })

  it('the library of Standard Webhooks accepts what Vapi signs, and our check accepts what the library signs', () => {
    const webhook = new Webhook(VAPI_SECRET)
    const now = new Date()
    const stamp = String(Math.floor(now.getTime() / 1000))
    expect(() => webhook.verify(BODY, vapiSignature(STANDARD_CREDENTIAL, BODY, '', stamp, 'msg_2'))).not.toThrow()
    const signed = { 'webhook-id': 'msg_2', 'webhook-timestamp': stamp, 'webhook-signature': webhook.sign('msg_2', now, BODY) }
    expect(verify(VAPI_SECRET, signed, { at: now.getTime() })).toBe(true)
    const foreign = { ...signed, 'webhook-signature': new Webhook(`whsec_${'A'.repeat(43)}=`).sign('msg_2', now, BODY) }
    expect(verify(VAPI_SECRET, foreign, { at: now.getTime() })).toBe(false)
    expect(() => webhook.verify(BODY, foreign)).toThrow()
  })

  it('a callback of Vapi as Standard Webhooks may have a time in milliseconds, and several signatures', () => {
    const signed = vapiSignature(STANDARD_CREDENTIAL, BODY, '', String(AT), 'msg_1')
    expect(verify(VAPI_SECRET, signed)).toBe(true)
    expect(verify(VAPI_SECRET, { ...headers, 'webhook-signature': `v1,old v1a,other ${headers['webhook-signature']}` })).toBe(true)
  })

  it.each([
    ['old', {}, { at: AT + 300_001 }],
    ['from the future', {}, { at: AT - 300_001 }],
    ['changed', {}, { rawBody: BODY.replace('c1', 'c2') }],
    ['of another id', { 'webhook-id': 'msg_2' }, {}],
    ['of another time', { 'webhook-timestamp': '1795000001' }, {}],
    ['without a signature', { 'webhook-signature': '' }, {}],
    ['without a version', { 'webhook-signature': headers['webhook-signature'].slice(3) }, {}],
    ['cut', { 'webhook-signature': headers['webhook-signature'].slice(0, -4) }, {}],
    ['not in ASCII', { 'webhook-signature': 'v1,é\u{1f600}' }, {}],
    ['without a time', { 'webhook-timestamp': '' }, {}],
    ['with an invalid time', { 'webhook-timestamp': 'NaN' }, {}],
    ['with a time of 300 digits', { 'webhook-timestamp': '1'.repeat(300) }, {}],
  ])('a callback of Vapi as Standard Webhooks is refused when it is %s', (_, changed, changes) => {
    expect(verify(VAPI_SECRET, { ...headers, ...changed }, changes)).toBe(false)
  })

  it('a callback of Vapi as Standard Webhooks is accepted at the limits of the tolerance', () => {
    expect([AT - 300_000, AT + 300_000].map((at) => verify(VAPI_SECRET, headers, { at }))).toEqual([true, true])
  })

  it.each([null, '', 'whsec_', 'whsec_!!!', 'whsec_MDE=', 'vapi_secret', `whsec_${'A'.repeat(43)}=`])(
    'a callback of Vapi as Standard Webhooks is refused with the secret %j',
    (secret) => {
      expect(verify(secret, headers)).toBe(false)
    },
  )

  it('a callback of Vapi as Standard Webhooks cannot be forged when the secret holds no key', () => {
    const empty = `v1,${createHmac('sha256', '').update(`msg_1.1795000000.${BODY}`).digest('base64')}`
    expect(verify('whsec_', { ...headers, 'webhook-signature': empty })).toBe(false)
  })
})

describe("a callback with Vapi's defaults", () => {
  const plan: VapiCredential = { type: 'hmac', secretKey: 'vapi_secret', algorithm: 'sha256' }
  const headers = { 'x-timestamp': '1795000000', 'x-signature': 'a418ac045763fa94b7cc42748395772c9537125c5d6e0c860a65f5daac224239' }

  it("a callback with Vapi's defaults is verified as the test vector says", () => {
    expect(verify('vapi_secret', headers)).toBe(true)
    expect(vapiSignature(plan, BODY, '', '1795000000', '')).toEqual(headers)
  })

  it("a callback with Vapi's defaults may have a time in milliseconds", () => {
    expect(verify('vapi_secret', vapiSignature(plan, BODY, '', String(AT), ''))).toBe(true)
  })

  it("a callback with Vapi's defaults may be signed with the bytes behind whsec_, or with the whole text", () => {
    const { signaturePrefix: _, messageIdHeader: __, ...standard } = STANDARD_CREDENTIAL as Extract<VapiCredential, { type: 'hmac' }>
    const defaults = { type: 'hmac', algorithm: 'sha256' } as const
    for (const key of [{ secretKey: standard.secretKey, secretIsBase64: true }, { secretKey: VAPI_SECRET }]) {
      expect(verify(VAPI_SECRET, vapiSignature({ ...defaults, ...key }, BODY, '', '1795000000', ''))).toBe(true)
    }
  })

  it.each([
    ['old', {}, { at: AT + 300_001 }],
    ['from the future', {}, { at: AT - 300_001 }],
    ['changed', {}, { rawBody: `${BODY} ` }],
    ['without a time', { 'x-timestamp': '' }, {}],
    ['foreign', { 'x-signature': 'b'.repeat(64) }, {}],
  ])("a callback with Vapi's defaults is refused when it is %s", (_, changed, changes) => {
    expect(verify('vapi_secret', { ...headers, ...changed }, changes)).toBe(false)
  })
})

describe('a callback with a bearer token', () => {
  it.each<[string, VapiCredential]>([
    ['in Authorization', { type: 'bearer', token: 'vapi_secret' }],
    ['in X-Vapi-Secret', { type: 'bearer', token: 'vapi_secret', headerName: 'X-Vapi-Secret', bearerPrefixEnabled: false }],
  ])('a callback of Vapi with a bearer token is verified %s', (_, plan) => {
    const headers = vapiSignature(plan, BODY, '', '', '')
    expect(verify('vapi_secret', headers)).toBe(true)
    expect(verify('another_secret', headers)).toBe(false)
    expect(verify(null, headers)).toBe(false)
    expect(verify('', headers)).toBe(false)
  })

  it('a callback of Vapi with a bearer token is refused without any of the headers', () => {
    expect(verify('vapi_secret', {})).toBe(false)
  })
})
