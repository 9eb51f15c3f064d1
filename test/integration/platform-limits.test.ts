import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getAgent } from '#shared/agents/agent-store.ts'
import { cancelCall } from '#shared/agents/voice-agent.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime } from '#test/support/clock.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'

const world = toolWorld()
const lines = captureLog()

describe('a call that waits at a platform that cannot cancel', () => {
  world.on('elevenlabs')

  it('a call that waits at a platform that cannot cancel is polled about every ten minutes, without a warning', async () => {
    await world.called('0008')
    for (let minute = 0; minute < 60; minute++) {
      passTime(MINUTE)
      await dispatchDue()
      await world.place((await world.queued()).filter(({ type }) => type === 'watch'))
    }
    const polls = world.platform().seen.filter(({ method, path }) => method === 'GET' && path.includes('/conversations/'))
    expect(polls.length).toBeLessThanOrEqual(7)
    expect(lines.join('\n')).not.toContain('did not accept a cancel')
  })
})

describe('a cancel of two requests', () => {
  world.on('twilio')

  it('a cancel of two requests fails on a slow platform before the message of its poll becomes visible again', async () => {
    const { call } = await world.talking()
    const slow = createServer(async (_, response) => {
      await sleep(2500)
      response.end(JSON.stringify({ sid: 'CA1', status: 'in-progress' }))
    })
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done))
    try {
      const agent = await getAgent(world.agentKey())
      const { port } = slow.address() as AddressInfo
      const { provider_call_id } = (await getCall(call))!
      const asked = { callId: call, platformCallId: provider_call_id, reason: '' }
      expect(await cancelCall({ ...agent!, url: `http://127.0.0.1:${port}` }, asked)).toMatchObject({ kind: 'failed' })
    } finally {
      slow.closeAllConnections()
      slow.close()
    }
  })
})
