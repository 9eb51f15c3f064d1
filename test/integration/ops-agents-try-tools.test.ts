import { describe, expect, it } from '@jest/globals'
import { findFreePort } from '#lib/local/processes/ports.ts'
import { startTrialReceiver } from '#lib/ops/trial/receiver.ts'
import { newTrialId, trialDial } from '#lib/ops/trial/trial-call.ts'
import { readAgent } from '#shared/agents/agent-store.ts'
import { toolDefinitions } from '#shared/agents/set-up.ts'
import { placeCall } from '#shared/agents/voice-agent.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { receiveCallbacks } from '#test/support/platforms/callbacks.ts'
import { CALLER } from '#test/support/platforms/sample-dial.ts'
import { TOOL_CASES, type ToolCase } from '#test/support/platforms/tool-cases.ts'
import { savePlatformAgent } from '#test/support/trial-world.ts'

opsWorld()
const { cleanUp } = cleanUpEach('tools')

/** A trial that is in a call, behind a tunnel. */
const talking = async (one: ToolCase) => {
  const tunnel = await receiveCallbacks(Date.now)
  const started = await one.start(Date.now)
  const { platform, callbackSecret = null, from = CALLER, settings = {} } = started
  cleanUp(tunnel.close, platform.close)
  const agent = (await readAgent(await savePlatformAgent({ ...started, name: one.name, callbackSecret, from, settings }, platform)))!
  const said: string[] = []
  const [callId, port] = [newTrialId(), await findFreePort()]
  const receiver = await startTrialReceiver({
    ...{ agent, callId, port, publicUrl: tunnel.url, now: Date.now, onReport: () => {}, onTranslation: () => {} },
    ...{ onRefused: (sentence) => said.push(sentence), onTool: (name) => said.push(name), isCancelled: () => false },
  })
  cleanUp(receiver.close)
  const trial = { agent, phone: `+1212555${one.lastFour}`, name: 'Ann', script: 'Ask.', timezone: undefined }
  await placeCall(agent, trialDial(trial, callId, { baseUrl: tunnel.url, platformBaseUrl: tunnel.url }, Date.now()), 5_000)
  const [rung] = platform.rung
  started.answer?.(rung!.platformCallId)
  await platform.settled()
  tunnel.received.length = 0
  const { book_slot } = await toolDefinitions(agent, tunnel.url)
  await started.use(rung!.platformCallId, 'book_slot', { start_time: '2026-11-21T15:00:00Z' }, JSON.parse(book_slot!))
  await platform.settled()
  const [request] = tunnel.received
  const { pathname, search } = new URL(request!.url)
  /** Forwards the request as the tunnel would. */
  const passOn = async (changes: RequestInit = {}) => {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request!.headers
    const given = { method: 'POST', headers, body: request!.rawBody, ...changes }
    const answer = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, given)
    return { status: answer.status, text: await answer.text() }
  }
  return { said, passOn }
}

describe.each(TOOL_CASES)('a tool that an assistant on $name calls in a trial', (one) => {
  it(`a tool that ${one.name} calls in a trial answers that nothing was booked, and the operator sees the request`, async () => {
    const { said, passOn } = await talking(one)
    const { status, text } = await passOn()
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('This is a trial: nothing was recorded or booked.') })
    expect(text).not.toContain('"error"')
    expect(said).toEqual(['book_slot'])
  })

  it(`a trial on ${one.name} refuses a tool request that is not signed, or too long`, async () => {
    const { said, passOn } = await talking(one)
    expect(await passOn({ headers: { 'content-type': 'application/json' } })).toMatchObject({ status: 401 })
    expect(await passOn({ body: 'x'.repeat(4 * 1024 * 1024 + 1) })).toMatchObject({ status: 413 })
    expect(said).toEqual([
      'A request was refused: its signature is missing, wrong or too old.',
      'A request was refused: it has more than 4 MB.',
    ])
  })
})
