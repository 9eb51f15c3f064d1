import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getBreaker } from '#shared/agents/breaker-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import type { DialFault } from '#test/support/platforms/emulator.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { CALLER } from '#test/support/platforms/sample-dial.ts'
import { startTwilioEmulator } from '#test/support/platforms/twilio-emulator.ts'
import { startVapiAgent } from '#test/support/platforms/vapi-agent.ts'

const ACCOUNT = 'AC00000000000000000000000000000001'
let platform: 'vapi' | 'twilio' = 'vapi'
let vapi: Awaited<ReturnType<typeof startVapiAgent>>['platform']

const start = async (clock: () => number) => {
  if (platform === 'twilio') {
    const twilio = await startTwilioEmulator({ accountSid: ACCOUNT, authToken: 'token', numbers: [CALLER.number], now: clock })
    const assistant = 'https://agent.example.com/twiml'
    return { platform: twilio, name: 'twilio', apiKey: 'token', assistant, settings: { account_sid: ACCOUNT }, from: CALLER }
  }
  const agent = await startVapiAgent(clock)
  vapi = agent.platform
  return agent
}

const world = platformCalls(start, now)
const { agentKey, deliver, called, queued, place, placeQueued } = world

const NO_CREDITS = '0004'
const BUSY = '0002'
/** Rings until a test releases it. */
const WAITS = '0006'

const breaker = () => getBreaker(agentKey())
const dials = () => world.platform().seen.filter(({ method, path }) => method === 'POST' && /\/(call|Calls\.json)$/.test(path)).length

/** Has the first of these leads refused, so that it waits for the agent, as the others then do. They are probes in this order. */
const holdSome = async (lastFours: readonly string[]) => {
  world.platform().dialFault = { status: 429 }
  const held: Awaited<ReturnType<typeof called>>[] = []
  for (const digits of lastFours) {
    held.push(await called(digits))
    world.platform().dialFault = 'none'
    passTime(SECOND)
  }
  for (const { lead } of held) expect(await getLead(lead)).toMatchObject({ due_list: 'HELD' })
  expect(await breaker()).toMatchObject({ openings: 1 })
  return held
}

/** Lets the sweep send probes after the pause. @returns how many calls were dialled */
const probe = async (): Promise<number> => {
  setClock((await breaker()).open_until + SECOND)
  const before = dials()
  await dispatchDue()
  // One after the other: of several, any could be the probe.
  for (let sent = await queued(); sent.length > 0; sent = await queued()) for (const message of sent) await place([message])
  return dials() - before
}

/** Whether the call of each lead was dialled, and not refused. */
const areTaken = async (held: readonly { readonly lead: number }[]) =>
  Promise.all(
    held.map(async ({ lead }) => {
      const found = await getLead(lead)
      return (await getCall(`${lead}-${found?.attempts}`))?.accepted_time !== null && found?.due_list !== 'HELD'
    }),
  )

describe('an agent whose platform may refuse a call late', () => {
  it('an agent gets one call at a time while its platform accepts and then refuses each', async () => {
    await holdSome([NO_CREDITS, NO_CREDITS, NO_CREDITS, NO_CREDITS])
    for (const openings of [1, 2, 3]) {
      expect(await probe()).toBe(1)
      expect(await breaker()).toMatchObject({ openings })
      await deliver()
      expect(await breaker()).toMatchObject({ openings: openings + 1 })
    }
  })

  it('an agent gets all held calls after the first report of its probe', async () => {
    const held = await holdSome([BUSY, BUSY, BUSY])
    expect(await probe()).toBe(1)
    await deliver()
    expect(await breaker()).toMatchObject({ failures: 0, openings: 0 })
    await placeQueued()
    expect(await areTaken(held)).toEqual([true, true, true])
  })

  it('an agent whose probe is not reported gets one every half minute, until a poll brings the end of a call', async () => {
    world.hide()
    const held = await holdSome([BUSY, BUSY, BUSY, BUSY])
    expect(await probe()).toBe(1)
    expect(await breaker()).toMatchObject({ openings: 1 })
    for (let round = 0; round < 3; round++) {
      passTime(MINUTE)
      await dispatchDue()
      await placeQueued()
    }
    expect(await breaker()).toMatchObject({ openings: 0 })
    expect(await areTaken(held)).toEqual([true, true, true, true])
  })

  it('an agent gets another probe when its probe is never reported', async () => {
    await holdSome([BUSY, BUSY, BUSY])
    world.platform().callbackFault = 'lost'
    expect([await probe(), await probe(), await probe()]).toEqual([1, 1, 1])
    expect(await breaker()).toMatchObject({ openings: 1 })
  })

  it('an agent is not trusted because of a probe from before it refused another one', async () => {
    const [first] = await holdSome([WAITS, NO_CREDITS, BUSY])
    await probe()
    const platformCallId = (await getCall(`${first?.lead}-2`))?.provider_call_id ?? ''
    await probe()
    await deliver()
    expect(await breaker()).toMatchObject({ openings: 2 })
    vapi.release(platformCallId)
    await deliver()
    expect(await getCall(`${first?.lead}-2`)).toMatchObject({ answered_time: expect.any(Number) })
    expect(await breaker()).toMatchObject({ openings: 2 })
  })

  it('the breaker opens again when the refusal of a probe comes after the next probe', async () => {
    await holdSome([NO_CREDITS, WAITS, BUSY])
    await probe()
    await probe()
    await deliver()
    expect(await breaker()).toMatchObject({ openings: 2 })
  })

  it('an agent is not trusted because it refuses a number', async () => {
    await holdSome([BUSY])
    world.platform().dialFault = { status: 400, body: { message: 'customer.number must be a valid phone number' } }
    expect(await probe()).toBe(1)
    expect(await breaker()).toMatchObject({ openings: 1 })
  })
})

describe('an agent whose platform never refuses late', () => {
  beforeAll(() => {
    platform = 'twilio'
  })

  it.each<[string, DialFault]>([
    ['accepts its probe', 'none'],
    ['answers its probe that the number does not exist', { status: 400, body: { code: 21211, message: 'Invalid To' } }],
  ])('an agent whose platform never refuses late gets all held calls when it %s', async (_, fault) => {
    await holdSome([BUSY, BUSY])
    world.platform().dialFault = fault
    await probe()
    expect(await breaker()).toMatchObject({ failures: 0, openings: 0 })
  })
})
