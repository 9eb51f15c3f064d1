import { describe, expect, it } from '@jest/globals'
import type { VoiceAgent } from '#lib/local/voice-agent/start-voice-agent.ts'
import { post, startAgent } from '#test/support/simulated-agent.ts'

describe('the simulated calendar', () => {
  const find = async (agent: VoiceAgent, body: object) => {
    const answer = await post(`${agent.url}/calendar/slots`, body)
    const { slots } = (await answer.json()) as { slots: { start_time: string }[] }
    return slots.map(({ start_time }) => start_time)
  }
  const book = (agent: VoiceAgent, call_id: string, start_time: string) => post(`${agent.url}/calendar/book`, { call_id, start_time })

  it('the simulated calendar offers full hours of the next working days, each for one booking', async () => {
    const agent = await startAgent('http://127.0.0.1:1')
    const asked = { call_id: '7-1', from: '2026-11-20T16:00:00.000000+00:00' }
    const free = await find(agent, asked)
    expect(free[0]).toBe('2026-11-23T15:00:00.000Z')
    expect(new Set(free.map((start) => start.slice(0, 10)))).toEqual(new Set(['2026-11-23', '2026-11-24', '2026-11-25']))
    const booked = await book(agent, '7-1', '2026-11-23T10:00:00-05:00')
    expect([booked.status, await booked.json()]).toEqual([
      201,
      { booking_id: 'booking-7-1', start_time: '2026-11-23T15:00:00.000Z', duration_minutes: 30 },
    ])
    expect((await book(agent, '8-1', free[0]!)).status).toBe(409)
    expect((await book(agent, '8-1', free[1]!)).status).toBe(201)
    const again = await book(agent, '7-1', free[2]!)
    expect(await again.json()).toMatchObject({ start_time: free[0] })
    expect(await find(agent, asked)).toEqual(free.slice(2))
  })

  it('the simulated calendar answers only signed and complete requests', async () => {
    const agent = await startAgent('http://127.0.0.1:1')
    expect((await post(`${agent.url}/calendar/slots`, { call_id: '7-1' })).status).toBe(400)
    expect((await book(agent, '7-1', 'noon')).status).toBe(400)
    expect((await post(`${agent.url}/calendar/book`, {}, { 'webhook-signature': '' })).status).toBe(401)
    expect((await post(`${agent.url}/calendar`, {})).status).toBe(404)
  })
})
