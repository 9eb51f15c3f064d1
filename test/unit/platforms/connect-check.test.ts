import { afterEach, describe, expect, it } from '@jest/globals'
import type { CallerNumber, Connection } from '#shared/agents/platforms/adapter.ts'
import { ANALYSIS_PROMPT } from '#shared/agents/platforms/analysis.ts'
import { checkConnect } from '#shared/agents/platforms/connect/check.ts'
import { type ConnectOptions, signedAsk } from '#test/support/platforms/connect-emulator.ts'
import {
  CONNECT_ARN,
  CONNECT_FLOW,
  CONNECT_INSTANCE,
  CONNECT_NUMBER,
  connectWorld,
  SOUND_FLOW,
} from '#test/support/platforms/connect-world.ts'
import { ask } from '#test/support/platforms/emulator.ts'

const worlds: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(worlds.splice(0).map(({ close }) => close()))
})

const check = async (
  options: Partial<ConnectOptions> = {},
  changes: Partial<Connection> = {},
  { from = [CONNECT_NUMBER], send = signedAsk }: { from?: readonly CallerNumber[]; send?: typeof ask } = {},
) => {
  const { emulator, connection, close } = await connectWorld(options)
  worlds.push({ close })
  const found = await checkConnect(send, { ...connection, ...changes }, from)
  expect(emulator.seen.every(({ method }) => method === 'GET')).toBe(true)
  return found
}
const withFlow = (changes: object) => ({ flows: { [CONNECT_FLOW]: { ...SOUND_FLOW, ...changes } } })

describe('the check of an agent on Amazon Connect', () => {
  it('the check of an agent on Amazon Connect finds nothing when all is right', async () => {
    expect(await check()).toEqual([])
  })

  it.each<[string, Parameters<typeof check>, string]>([
    ['a missing region', [{}, { settings: { instance_id: CONNECT_INSTANCE } }], 'The setting region is missing.'],
    ['a missing instance', [{}, { settings: { region: 'us-east-1' } }], 'The setting instance_id is missing.'],
    ['a missing permission of the operator', [{}, {}, { send: ask }], 'Your AWS credentials may not read this instance'],
    ['an instance that the deployment does not name', [{}, { permitted: [] }], 'The service may not call through this instance.'],
    ['an unknown instance', [{}, { settings: { region: 'us-east-1', instance_id: 'x' } }], 'There is no instance x in us-east-1.'],
    ['outbound calls that are off', [{ isOutbound: false }], 'Outbound calls are off'],
    ['an unknown flow', [{}, { assistant: 'unknown' }], 'no published flow with the id unknown'],
    ['a flow that is not published', [withFlow({ Status: 'SAVED' })], 'The flow is archived, or not published.'],
    ['an archived flow', [withFlow({ State: 'ARCHIVED' })], 'The flow is archived, or not published.'],
    ['a flow without outcomes', [withFlow({ Content: '{}' })], 'The flow sets no outcome.'],
    ['a number that is not owned', [{}, {}, { from: [{ number: '+12125550199', id: null }] }], '+12125550199 is not a number'],
  ])('the check of an agent on Amazon Connect finds %s', async (_, asked, problem) => {
    const found = await check(...asked)
    expect(found.map((advice) => advice.problem)).toEqual([expect.stringContaining(problem)])
  })

  it('the check of an agent on Amazon Connect gives the text to paste', async () => {
    const [flow] = await check(withFlow({ Content: '{}' }))
    expect(flow?.paste).toBe(ANALYSIS_PROMPT)
    const other = CONNECT_ARN.replace('us-east-1', 'us-west-2')
    const [setting] = await check({}, { permitted: [other] })
    expect(setting?.paste).toBe(`${other},${CONNECT_ARN}`)
    const [, guessed] = await check({}, { permitted: [] }, { send: ask })
    expect(guessed?.paste).toBe(CONNECT_ARN.replace('111122223333', 'ACCOUNT'))
  })

  it('the check of an agent on Amazon Connect gives the advice about missing permissions once', async () => {
    const refused: typeof ask = async (request) => (request.url.includes('/instance/') ? signedAsk(request) : { status: 403, text: '' })
    expect(await check({}, {}, { send: refused })).toEqual([{ problem: expect.stringContaining('Your AWS credentials') }])
  })

  it('the check of an agent on Amazon Connect refuses a region that would lead to another host', async () => {
    await expect(check({}, { settings: { region: 'x.example.com/', instance_id: CONNECT_INSTANCE } })).rejects.toThrow('must be a region')
  })

  it('the check of an agent on Amazon Connect turns pages of numbers', async () => {
    const [first, second] = ['+12125550198', CONNECT_NUMBER.number].map((PhoneNumber) => ({ PhoneNumberSummaryList: [{ PhoneNumber }] }))
    const paged: typeof ask = async (request) => {
      if (!request.url.includes('/phone-numbers-summary/')) return signedAsk(request)
      return { status: 200, text: JSON.stringify(request.url.includes('nextToken=more') ? second : { ...first, NextToken: 'more' }) }
    }
    expect(await check({}, {}, { send: paged })).toEqual([])
  })

  it('the check of an agent says when Amazon Connect does not answer', async () => {
    const failing =
      (part: string): typeof ask =>
      async (request) =>
        request.url.includes(part) ? { status: 503, text: '<html>' } : signedAsk(request)
    for (const [part, what] of [
      ['/instance/', 'instance'],
      ['/contact-flows/', 'flow'],
      ['/phone-numbers-summary/', 'phone numbers'],
    ] as const) {
      const found = await check({}, {}, { send: failing(part) })
      expect(found).toEqual([{ problem: expect.stringMatching(`Amazon Connect answered 503 when it was asked for .*${what}`) }])
    }
  })
})
