import { describe, expect, it } from '@jest/globals'
import { adapterOf, PLATFORM_NAMES } from '#shared/agents/platforms/adapters.ts'

const meaning = (platform: string, status: number, body: unknown = '') =>
  adapterOf(platform)?.classify({ status, text: typeof body === 'string' ? body : JSON.stringify(body) })

const WHOLE = { kind: 'refused', fault: 'account', isWhole: true }
const GUESS = { kind: 'refused', fault: 'account', isWhole: false }

describe.each(PLATFORM_NAMES)('a refusal of %s', (platform) => {
  it.each([401, 402, 403, 429])(
    `a refusal of ${platform} meets every call of the account when its status is %s, and no code says otherwise`,
    (status) => {
      expect(meaning(platform, status)).toMatchObject(WHOLE)
    },
  )

  it(`a refusal of ${platform} may concern one call when something was not found`, () => {
    expect(meaning(platform, 404)).toMatchObject(GUESS)
  })
})

describe('a documented code', () => {
  it.each<[string, string, number, unknown]>([
    ['Twilio, without balance', 'twilio', 400, { code: 20005, message: 'Account not active' }],
    ['Twilio, at the limit of calls', 'twilio', 400, { code: 10004, message: 'Call concurrency limit exceeded' }],
    ['Bland, at the limit of its plan', 'bland', 400, { status: 'error', message: 'CALL_RL_PLAN_CONCURRENCY' }],
    ['Bland, at the limit of its plan, with success', 'bland', 200, { status: 'error', message: 'CALL_RL_PLAN_CONCURRENCY' }],
  ])('a documented code of a platform says that every call of the account is refused: %s', (_, platform, status, body) => {
    expect(meaning(platform, status, body)).toMatchObject(WHOLE)
  })
})

describe('a code or a field that concerns one call', () => {
  it.each<[string, string, number, unknown, object]>([
    ['Bland, at the limit of one number', 'bland', 429, { errors: [{ error: 'CALL_RL_NUMBER' }] }, GUESS],
    ['Bland, about one number', 'bland', 403, { errors: [{ error: 'NEW', message: 'This number is blocked' }] }, GUESS],
    ['Twilio, without permission for a country', 'twilio', 403, { code: 21215 }, { fault: 'call' }],
    ['Twilio, about a blocked number', 'twilio', 403, { code: 21216 }, { fault: 'call' }],
    ['Twilio, about an invalid number', 'twilio', 403, { code: 21211 }, { fault: 'number' }],
    ['Twilio, about the caller number', 'twilio', 403, { code: 21210 }, GUESS],
    ['Telnyx, about the number', 'telnyx', 403, { errors: [{ code: '10010', source: { pointer: '/to' } }] }, { fault: 'call' }],
    ['Telnyx, about an invalid number', 'telnyx', 403, { errors: [{ code: '10016', source: { pointer: '/to' } }] }, { fault: 'number' }],
    ['Telnyx, about the caller number', 'telnyx', 403, { errors: [{ code: '10015', source: { pointer: '/from' } }] }, GUESS],
  ])('a code or a field that concerns one call outweighs a status that blames the account: %s', (_, platform, status, body, expected) => {
    const answer = meaning(platform, status, body)
    expect(answer).toMatchObject({ kind: 'refused', ...expected })
    expect(answer).not.toMatchObject({ isWhole: true })
  })
})

describe('an account-like message', () => {
  it.each<[string, string, number, unknown]>([
    ['Vapi', 'vapi', 400, { message: 'customer.name exceeds the limit of 40 characters' }],
    ['Amazon Connect', 'connect', 400, { Message: 'Invalid attribute lead_source' }],
    ['Amazon Connect, about one contact', 'connect', 403, { __type: 'OutboundContactNotPermittedException' }],
    ['ElevenLabs', 'elevenlabs', 200, { success: false, message: 'Something new', conversation_id: null }],
    ['Retell', 'retell', 422, { message: 'agent_override is malformed' }],
    ['Bland', 'bland', 400, { status: 'error', message: 'The pathway variable is too long' }],
    ['Twilio, about the caller number', 'twilio', 400, { code: 21210, message: 'From is not verified' }],
    ['Telnyx, about the caller number', 'telnyx', 422, { errors: [{ code: '10015', source: { pointer: '/from' } }] }],
  ])('a refusal is not certain to meet every call when only its words blame the account: %s', (_, platform, status, body) => {
    const answer = meaning(platform, status, body)
    expect(answer).toMatchObject({ kind: 'refused', fault: 'account' })
    expect(answer).not.toMatchObject(WHOLE)
  })
})
