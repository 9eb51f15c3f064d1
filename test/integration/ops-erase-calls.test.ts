import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as update } from '#functions/leads/update.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { agentCalls, hasLine } from '#test/support/agent-calls.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { startBucketEngine } from '#test/support/bucket-engine.ts'
import { setClock } from '#test/support/clock.ts'
import { startOps } from '#test/support/ops.ts'
import { NOON } from '#test/support/samples.ts'
import { KEY, request, startWorld } from '#test/support/world.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let buckets: Awaited<ReturnType<typeof startBucketEngine>>
const { inCall, told } = agentCalls(() => world)
beforeAll(async () => {
  world = await startWorld()
  buckets = await startBucketEngine()
  process.env['UPLOADS_BUCKET'] = 'uploads'
})
afterAll(async () => {
  await buckets.stop()
  await world.stop()
})
beforeEach(async () => {
  setClock(NOON)
  await world.queues.renew('CALL_QUEUE_URL')
})

/** The operator's tool, with the clock as it stands. */
const ops = async (...args: string[]) => {
  const tool = await startOps()
  const said = await tool.ops(args)
  await tool.stop()
  return said
}
const erase = (phone: string) => ops('erase', phone, '--yes', '--json')
const findings = async (): Promise<string[]> => {
  const { out } = await ops('check', '--json', '--again-after', '0')
  return JSON.parse(out).findings.map(({ kind, where }: { kind: string; where: string }) => `${kind} ${where}`)
}
const phoneOf = async (number: string) => getPhone(await phonePk('1', number))

const mentioned = async (text: string): Promise<string[]> => {
  const found: string[] = []
  for await (const { items } of scanTable({ segments: 1 })) {
    found.push(...items.filter((item) => JSON.stringify(item).includes(text)).map(({ pk, sk }) => `${pk} ${sk}`))
  }
  return found
}

describe('a call without an outcome', () => {
  it('a call without an outcome releases line and phone when its person is erased', async () => {
    const { call, phone } = await inCall()
    setClock(NOON + 30 * HOUR)
    expect((await erase(phone)).code).toBe(0)
    expect(await phoneOf(phone)).toMatchObject({ version: 0 })
    expect(await hasLine(call)).toBe(false)
    expect(await findings()).toEqual([])
  })

  it('a call of an erased person is finished even when its lead has got another number since', async () => {
    const { lead, phone } = await inCall()
    const headers = { Authorization: `Token ${KEY}` }
    const body = { phone_number: '+12125559911' }
    const changed = await request(update, { method: 'PATCH', path: `/api/leads/${lead}/`, parameters: { id: `${lead}` }, headers, body })
    expect(changed.status).toBe(200)
    setClock(NOON + 30 * HOUR)
    expect((await erase(phone)).code).toBe(0)
    expect(await getLead(lead)).toMatchObject({ phone_number: '+12125559911', current_call: null, status: 'OPEN' })
    expect(await findings()).toEqual([])
  })
})

describe('a stop that arrives after its person was erased', () => {
  it.each([
    ['dnc.requested', { channel: 'call' }, 'call'],
    ['call.completed', { outcome: 'do_not_call' }, 'call'],
    ['sms.completed', { direction: 'inbound', body: 'STOP' }, 'sms'],
  ])('a stop that arrives after its person was erased applies, as %s %p', async (type, data, channel) => {
    const { call, phone } = await inCall()
    await told(call, 'call.completed', { outcome: 'no_answer' })
    expect((await erase(phone)).code).toBe(0)
    expect(await mentioned(phone.slice(2))).toEqual([])
    for (let times = 0; times < 2; times++) {
      const flags = { call_dnc: channel === 'call', sms_dnc: channel === 'sms' }
      expect(await told(call, type, data)).toEqual({ status: 'accepted', ...flags, lead_status: 'UNKNOWN', cancel: true })
      expect(await phoneOf(phone)).toMatchObject({ ...flags, [`${channel}_listed`]: true })
    }
    expect(await mentioned(phone.slice(2))).toEqual([])
    expect(await findings()).toEqual([])
  })

  it('other reports after an erasure, and a forged one, stop nobody', async () => {
    const { call, phone } = await inCall()
    await told(call, 'call.completed', { outcome: 'no_answer' })
    await erase(phone)
    await told(call, 'call.ended', { duration_seconds: 3 })
    await told(call, 'sms.completed', { direction: 'inbound', body: `I am ${phone}` })
    expect(await mentioned(phone.slice(2))).toEqual([])
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: false, sms_dnc: false })
    const body = { type: 'dnc.requested', call_id: call, time: new Date(NOON).toISOString(), data: { channel: 'call' } }
    const forged = agentRequest('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', `/api/agents/calls/${call}/events/`, body, { call_id: call })
    expect((await request(report, forged)).status).toBe(401)
  })
})
