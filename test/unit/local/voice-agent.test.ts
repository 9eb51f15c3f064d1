import { describe, expect, it } from '@jest/globals'
import { HOUR } from '#shared/platform/values/durations.ts'
import { eventually } from '#test/support/eventually.ts'
import {
  allReported,
  callTo,
  dials,
  inTime,
  place,
  placeInVain,
  post,
  SERVICE_NOW,
  SPEED,
  startAgent,
  startReceiver,
} from '#test/support/simulated-agent.ts'

const TALK = ['call.answered', 'call.data_collected', 'call.ended', 'call.completed']
const TRANSFER = [
  'call.answered',
  'call.data_collected',
  'call.transfer_initiated',
  'call.transfer_connected',
  'call.ended',
  'call.completed',
]
const NO_TALK = ['call.ended', 'call.completed']

describe('the voice agent simulator', () => {
  it('the simulated agent reports times by the clock of the service', async () => {
    const receiver = await startReceiver()
    const agent = await startAgent(receiver.url)
    await place(agent, callTo('+12125550004', receiver.url))
    const events = inTime(await receiver.waitFor(4))
    const sinceDial = events.map((event) => Date.parse(event.time) - SERVICE_NOW)
    expect(sinceDial).toEqual([300, 600, 1500, 1600].map((at) => at / SPEED))
    expect(Date.parse(String(events[3]?.data['callback_time'])) - SERVICE_NOW).toBe(2 * HOUR)
  })

  it('the simulated agent transfers a call to …0013 to the requested destination and stays on the line for 20 s', async () => {
    const receiver = await startReceiver()
    const agent = await startAgent(receiver.url)
    await place(agent, callTo('+12125550013', receiver.url))
    const events = inTime(await receiver.waitFor(6))
    expect(events.map((event) => event.type)).toEqual(TRANSFER)
    expect(events[2]?.data).toEqual({ mode: 'warm', destination: '+12125550142' })
    expect(events[4]?.data).toEqual({ duration_seconds: 21 })
    expect(Date.parse(events[4]!.time) - Date.parse(events[3]!.time)).toBe(20_000 / SPEED)
  })

  it('the simulated agent gives each other number a fixed outcome', async () => {
    const receiver = await startReceiver()
    const agent = await startAgent(receiver.url)
    const phones = Array.from({ length: 40 }, (_, index) => `+1212555${4000 + index}`)
    for (const phone of [...phones, ...phones]) await place(agent, callTo(phone, receiver.url))
    const { calls } = await dials(agent)
    expect(new Set(calls.map((call) => call.behaviour)).size).toBe(9)
    expect(new Set(calls.map((call) => `${call.phone} ${call.behaviour}`)).size).toBe(40)
  })

  it('the simulated agent answers 500 without dialling, never answers, or never reports, depending on the number', async () => {
    const receiver = await startReceiver()
    const agent = await startAgent(receiver.url)
    const [failing, hanging, silent] = ['0009', '0010', '0011'].map((digits) => callTo(`+1212555${digits}`, receiver.url))
    expect((await place(agent, failing!)).status).toBe(500)
    expect((await place(agent, failing!)).status).toBe(500)
    await placeInVain(agent, hanging!)
    await placeInVain(agent, hanging!)
    expect((await place(agent, silent!)).status).toBe(200)
    expect(receiver.received).toEqual([])
    expect(await dials(agent)).toMatchObject({
      reports: { sent: 0, pending: 0 },
      total: 2,
      by_key: { [hanging!.call_id]: 1, [silent!.call_id]: 1 },
      by_phone: { '+12125550010': 1, '+12125550011': 1 },
      requests: { [failing!.call_id]: 2, [hanging!.call_id]: 2, [silent!.call_id]: 1 },
      calls: [{ dialled: false, provider_call_id: null }, { ended: false }, { ended: false }],
    })
  })

  it('the simulated agent sends everything twice and out of order to …0012', async () => {
    const receiver = await startReceiver()
    const agent = await startAgent(receiver.url)
    await place(agent, callTo('+12125550012', receiver.url, 'call-12'))
    const types = (await receiver.waitFor(8)).map((one) => one.event.type)
    expect([...types].sort()).toEqual([...TALK, ...TALK].sort())
    expect(types.lastIndexOf('call.answered')).toBeGreaterThan(types.indexOf('call.completed'))
    expect(new Set(receiver.received.map((one) => JSON.stringify(one.event))).size).toBe(4)
  })

  it('the simulated agent dials once per key, however often it is asked', async () => {
    const receiver = await startReceiver()
    const agent = await startAgent(receiver.url)
    const call = callTo('+12125550002', receiver.url)
    const answers = await Promise.all([place(agent, call), place(agent, call), place(agent, call)])
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(bodies).size).toBe(1)
    await allReported(agent)
    expect(receiver.received).toHaveLength(2)
    expect(await dials(agent)).toMatchObject({ total: 1, by_key: { [call.call_id]: 1 }, requests: { [call.call_id]: 3 } })
  })

  it('the simulated agent counts a dial to a phone that is still in a call', async () => {
    const receiver = await startReceiver()
    const agent = await startAgent(receiver.url)
    await place(agent, callTo('+12125550002', receiver.url))
    await eventually(async () => (await dials(agent)).calls[0]?.ended)
    await place(agent, callTo('+12125550002', receiver.url))
    expect(await dials(agent)).toMatchObject({ in_progress_overlaps: 0, by_phone: { '+12125550002': 2 } })
    const slow = await startAgent(receiver.url, undefined, 0.01)
    await place(slow, callTo('+12125550011', receiver.url))
    await place(slow, callTo('+12125550011', receiver.url))
    expect(await dials(slow)).toMatchObject({ in_progress_overlaps: 1 })
  })

  it('the simulated agent refuses a request without a signature, a key or a valid call', async () => {
    const agent = await startAgent('http://127.0.0.1:9')
    const call = callTo('+12125550001', 'http://127.0.0.1:9')
    const headers = { 'idempotency-key': call.call_id }
    const forged = await post(agent.url, call, { ...headers, 'webhook-signature': 'v1,Zm9yZ2Vk' })
    expect([forged.status, await forged.json()]).toEqual([401, { detail: 'Invalid signature.' }])
    expect((await post(agent.url, call, { ...headers, 'webhook-timestamp': '1' })).status).toBe(401)
    expect((await post(`${agent.url}/cancel`, call, { 'webhook-signature': '' })).status).toBe(401)
    expect((await post(agent.url, call)).status).toBe(400)
    expect((await post(agent.url, call, { 'idempotency-key': 'another' })).status).toBe(400)
    expect((await post(agent.url, { ...call, lead: {} }, headers)).status).toBe(400)
    expect((await post(`${agent.url}/else`, call, headers)).status).toBe(404)
    expect(await dials(agent)).toMatchObject({ total: 0, requests: {} })
  })

  it('the simulated agent repeats a report until the service accepts or refuses it', async () => {
    const receiver = await startReceiver((id, tries) => (id.endsWith('ended') ? ([503, 429, 200][tries] ?? 200) : 404))
    const agent = await startAgent(receiver.url)
    await place(agent, callTo('+12125550002', receiver.url))
    await allReported(agent)
    const ofType = (type: string) => receiver.received.filter((one) => one.event.type === type)
    expect(ofType('call.ended').map((one) => one.status)).toEqual([503, 429, 200])
    expect(new Set(ofType('call.ended').map((one) => JSON.stringify(one.event))).size).toBe(1)
    expect(ofType('call.completed').map((one) => one.status)).toEqual([404])
    expect((await dials(agent)).calls).toMatchObject([{ acknowledged: false, acknowledged_time: null }])
  })

  it('the simulated agent limits concurrent reports, and sends each report once, even to a slow service', async () => {
    const held = new Set<() => void>()
    let isOpen = false
    const receiver = await startReceiver(async () => {
      if (!isOpen) await new Promise<void>((resolve) => held.add(resolve))
      return 200
    })
    const agent = await startAgent(receiver.url)
    const calls = Array.from({ length: 50 }, (_, index) => callTo(`+1212${500 + index}0002`, receiver.url))
    for (const call of calls) await place(agent, call)
    await eventually(async () => (await dials(agent)).calls.every(({ ended }) => ended))
    await receiver.waitFor(6)
    expect((await dials(agent)).reports).toEqual({ sent: 6, pending: 100, most_at_once: 6 })
    isOpen = true
    for (const answer of held) answer()
    await allReported(agent)
    expect((await dials(agent)).reports).toEqual({ sent: 100, pending: 0, most_at_once: 6 })
    expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(100)
  })

  it('the simulated agent ends a cancelled call once when nobody has answered it', async () => {
    const receiver = await startReceiver()
    // Slow enough that the cancel comes before the call's end.
    const agent = await startAgent(receiver.url, undefined, 0.1)
    const call = callTo('+12125550003', receiver.url)
    await place(agent, call)
    const cancelled = await post(`${agent.url}/cancel`, { call_id: call.call_id })
    expect([cancelled.status, await cancelled.json()]).toEqual([200, { cancelled: true }])
    const events = inTime(await receiver.waitFor(2))
    expect(events.map((event) => event.type)).toEqual(NO_TALK)
    expect(events[1]?.data).toMatchObject({ outcome: 'failed', is_contact: false })
    await allReported(agent)
    expect(receiver.received).toHaveLength(2)
    for (const call_id of [call.call_id, 'unknown']) {
      expect(await (await post(`${agent.url}/cancel`, { call_id })).json()).toEqual({ cancelled: false })
    }
  })
})
