import { beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { handler as rotateSecret } from '#functions/users/rotate-webhook-secret.ts'
import { User } from '#shared/accounts/configuration.ts'
import { changeSecrets, saveUser } from '#shared/accounts/user-store.ts'
import { userKey } from '#shared/platform/keys.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { signingSecrets } from '#shared/webhooks/rules/secrets.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const OLDEST = `whsec_${Buffer.from('the oldest secret').toString('base64')}`
const lines = captureLog()

suiteWorld()

const rotate = (key = KEY, repeatKey?: string) =>
  request(rotateSecret, {
    method: 'POST',
    path: '/api/users/me/rotate-webhook-secret/',
    headers: { Authorization: `Token ${key}`, ...(repeatKey && { 'Idempotency-Key': repeatKey }) },
  })

/** As it is stored: users are cached. */
const user = async (id = OWNER) => (await getItem(User, userKey(id)))!

const reset = (id: number, webhook_secrets: string[]) =>
  saveUser({
    ...{ id, name: 'A', is_staff: false, default_lead_type: 4, dnc_group: `${id}`, lines: 10, webhook_secrets },
    throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 },
  })

beforeEach(() => reset(OWNER, [OLDEST]))

describe('a signing secret', () => {
  it('a rotation returns the new signing secret without logging it, and the previous one signs for another day', async () => {
    const { status, body } = await rotate()
    expect([status, body]).toEqual([
      200,
      {
        webhook_secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
        previous_secret_valid_until: '2026-11-21T16:00:00.000000+00:00',
      },
    ])
    const until = Date.parse(body.previous_secret_valid_until)
    const stored = await user()
    expect(signingSecrets(stored, until - 1)).toEqual([body.webhook_secret, OLDEST])
    expect(signingSecrets(stored, until)).toEqual([body.webhook_secret])
    expect(new Webhook(body.webhook_secret).sign('id', new Date(), 'x')).toMatch(/^v1,/)
    expect(lines.join('')).not.toContain(body.webhook_secret)
    expect(lines.join('')).toContain('"status":200')
  })

  it('a signing secret is dropped at the second rotation after it', async () => {
    const first = await rotate()
    setClock(NOON + DAY / 2)
    const second = await rotate()
    setClock(NOON)
    const stored = await user()
    expect(stored.webhook_secrets).toEqual([second.body.webhook_secret, first.body.webhook_secret])
    expect(signingSecrets(stored, NOON + DAY)).toHaveLength(2)
    expect(signingSecrets(stored, NOON + 2 * DAY)).toEqual([second.body.webhook_secret])
  })

  it('two rotations at once both return valid signing secrets', async () => {
    const answers = await Promise.all([rotate(), rotate()])
    const told = answers.map(({ body }) => body.webhook_secret)
    expect((await user()).webhook_secrets.toSorted()).toEqual(told.toSorted())
  })

  it('a rotation repeated with its idempotency key returns the same signing secret', async () => {
    const first = await rotate(KEY, 'again')
    const second = await rotate(KEY, 'again')
    expect(second.body).toEqual(first.body)
    expect((await user()).webhook_secrets).toEqual([first.body.webhook_secret, OLDEST])
  })

  it('a rotation that is cut short and repeated creates one signing secret', async () => {
    const change = () => ({ webhook_secrets: ['whsec_AAAA', OLDEST], older_secret_until: 5 })
    const again = () => ({ webhook_secrets: ['whsec_BBBB', 'whsec_AAAA'], older_secret_until: 6 })
    await changeSecrets(OWNER, 77, change)
    expect(await changeSecrets(OWNER, 77, again)).toMatchObject({ webhook_secrets: ['whsec_AAAA', OLDEST], older_secret_until: 5 })
    expect(await changeSecrets(OWNER, 78, again)).toMatchObject({ webhook_secrets: ['whsec_BBBB', 'whsec_AAAA'] })
  })

  it('the first rotation of a user without signing secrets creates the only one', async () => {
    await reset(OWNER, [])
    const { body } = await rotate()
    expect(body).toEqual({ webhook_secret: expect.any(String), previous_secret_valid_until: null })
    expect(signingSecrets(await user(), NOON)).toEqual([body.webhook_secret])
  })

  it('a rotation changes no other settings and no other users', async () => {
    const before = [await user(), await user(2)]
    await rotate()
    expect(await user(2)).toEqual(before[1])
    const { webhook_secrets: _, older_secret_until: __, rotation: ___, ...rest } = await user()
    expect(before[0]).toMatchObject(rest)
    expect((await rotate(OTHER_KEY)).body.webhook_secret).not.toBe((await user()).webhook_secrets[0])
    expect((await rotate('nobody')).status).toBe(401)
  })

  it('a signing secret set by the operator signs as one of the first two, without a time limit', () => {
    expect(signingSecrets({ webhook_secrets: ['a', 'b'], older_secret_until: null }, NOON)).toEqual(['a', 'b'])
    expect(signingSecrets({ webhook_secrets: ['a', 'b', 'c'], older_secret_until: null }, NOON)).toEqual(['a', 'b'])
    expect(signingSecrets({ webhook_secrets: [], older_secret_until: null }, NOON)).toEqual([])
  })
})
