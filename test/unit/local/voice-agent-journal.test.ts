import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { startVoiceAgent } from '#lib/local/voice-agent/start-voice-agent.ts'
import { eventually } from '#test/support/eventually.ts'
import { callTo, dials, inTime, journalPath, place, placeInVain, SECRET, startAgent, startReceiver } from '#test/support/simulated-agent.ts'

const TRANSFER = [
  'call.answered',
  'call.data_collected',
  'call.transfer_initiated',
  'call.transfer_connected',
  'call.ended',
  'call.completed',
]

describe('the voice agent simulator with a journal', () => {
  it('a simulated agent with a journal keeps its answers and counts, and sends pending reports to a new address', async () => {
    const file = journalPath()
    const before = await startReceiver((id) => (id.endsWith('answered') ? 200 : 503))
    const first = await startAgent(before.url, file)
    const call = callTo('+12125550001', before.url)
    const failing = callTo('+12125550009', before.url)
    const answer = await (await place(first, call)).text()
    await place(first, failing)
    await eventually(() => before.received.some((one) => one.event.type === 'call.completed'))
    await first.close()

    const after = await startReceiver()
    const second = await startAgent(after.url, file)
    const events = inTime(await after.waitFor(5))
    expect(events.map((event) => event.type)).toEqual(TRANSFER.slice(1))
    expect(await (await place(second, call)).text()).toBe(answer)
    expect((await place(second, failing)).status).toBe(500)
    expect(await dials(second)).toMatchObject({
      total: 1,
      by_key: { [call.call_id]: 1 },
      requests: { [call.call_id]: 2, [failing.call_id]: 2 },
    })
    const [transferred, undialled] = (await dials(second)).calls
    expect(transferred).toMatchObject({ acknowledged: true, acknowledged_time: expect.any(String), end_time: expect.any(String) })
    expect(undialled).toMatchObject({ dialled: false, acknowledged: false, end_time: null })
    for (const event of events) expect(before.received.map((one) => one.event)).toContainEqual(event)
    await second.close()

    const third = await startAgent(after.url, file)
    expect((await dials(third)).reports).toEqual({ sent: 0, pending: 0, most_at_once: 0 })
    expect(after.received).toHaveLength(5)
  })

  it('a simulated agent writes the request to its journal before it answers', async () => {
    const file = journalPath()
    const agent = await startAgent('http://127.0.0.1:9', file)
    const call = callTo('+12125550011', 'http://127.0.0.1:9')
    await place(agent, call)
    expect(readFileSync(file, 'utf8')).toContain(call.call_id)
  })

  it('a simulated agent ignores a torn last line of its journal, and does not start after any other broken line', async () => {
    const file = journalPath()
    const first = await startAgent('http://127.0.0.1:9', file)
    await place(first, callTo('+12125550011', 'http://127.0.0.1:9'))
    await first.close()
    appendFileSync(file, '{"record":"requested","key":"to')
    const second = await startAgent('http://127.0.0.1:9', file)
    await placeInVain(second, callTo('+12125550010', 'http://127.0.0.1:9'))
    await second.close()
    const third = await startAgent('http://127.0.0.1:9', file)
    expect(await dials(third)).toMatchObject({ total: 2 })
    await third.close()
    writeFileSync(file, `nonsense\n${readFileSync(file, 'utf8')}`)
    await expect(startAgent('http://127.0.0.1:9', file)).rejects.toThrow(/journal .* is broken in line 1/)
  })

  it('a simulated agent does not start when its port is taken', async () => {
    const agent = await startAgent('http://127.0.0.1:9')
    const port = Number(new URL(agent.url).port)
    const options = { port, journalFile: journalPath(), serviceUrl: 'http://127.0.0.1:9', secret: SECRET, log: () => {} }
    await expect(startVoiceAgent(options)).rejects.toThrow(/^Port \d+ is already in use/)
  })
})
