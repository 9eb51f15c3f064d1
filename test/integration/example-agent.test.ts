import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as listCalls } from '#functions/leads/calls.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { runClock } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { PROJECT } from '#test/support/guides.ts'
import { leadNow, patched } from '#test/support/lead-requests.ts'
import { type ReceiverAnswer, startReceiver } from '#test/support/receiver.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'

/** Longer than a test runs: only a cancel ends it. */
const ENDLESS = 100_000

interface Report {
  readonly type: string
  readonly call_id: string
}

const { world, queued, place, inCall } = callWorld()
const { directory, cleanUp } = cleanUpEach('example-agent')

/** Runs when a report arrives, before the service gets it. It may return an answer in place of the service's. */
let onReport: (told: Report) => ReceiverAnswer | undefined | Promise<ReceiverAnswer | undefined>

/** Every test has an agent and a lead type of its own, since functions cache them. */
let type = 100

beforeEach(async () => {
  type++
  onReport = () => undefined
  // The agent's clock runs, so that of the service must not stand still.
  runClock(NOON)
  const service = await startReceiver({
    respond: async ({ method, path, headers, body }) => {
      const told: Report = JSON.parse(body)
      const instead = await onReport(told)
      if (instead) return instead
      const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`]))
      const answer = await request(report, { method, path, headers: signed, body, parameters: { call_id: told.call_id } })
      return { status: answer.status, body: JSON.stringify(answer.body) }
    },
  })
  cleanUp(() => service.close())
  process.env['PUBLIC_BASE_URL'] = service.url
})

const stop = async (agent: ChildProcess): Promise<void> => {
  if (agent.exitCode !== null || agent.signalCode !== null) return
  // Its whole output has been read by then.
  const gone = once(agent, 'close')
  agent.kill()
  await gone
}

/** Starts the example, and gives it the leads of the test. */
const startExample = async (seconds: { readonly RING_SECONDS: number; readonly TALK_SECONDS: number }) => {
  const settings = { ...seconds, CLOCK_AHEAD_SECONDS: (now() - Date.now()) / 1000, CALLS: directory(), PORT: 0 }
  const texts = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, `${value}`]))
  const agent = spawn(process.execPath, [join(PROJECT, 'docs/examples/voice-agent.ts')], {
    env: { ...process.env, ...texts, SECRET: world().agentSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanUp(() => stop(agent))
  const lines: string[] = []
  createInterface(agent.stdout).on('line', (line) => lines.push(line))
  await eventually(() => lines.length > 0)
  const url = lines[0]?.replace('Listening on ', '') ?? ''
  await saveAgent({ id: `example-${type}`, url, secrets: [world().agentSecret] })
  await saveLeadType(sampleLeadType({ id: type, owner: OWNER, agent: `example-${type}` }))
  const dials = () => lines.filter((line) => line.startsWith('Dialling '))
  return { url, dials, end: () => stop(agent) }
}

const called = () => inCall({ lead_type: type })

const callOf = async ({ lead }: { readonly lead: number }) =>
  (await request(listCalls, { method: 'GET', path: `/api/leads/${lead}/calls/`, parameters: { id: `${lead}` } })).body.results[0]

/** Waits until all that follows from a call is done. */
const settled = ({ call }: { readonly call: string }): Promise<void> => eventually(async () => (await getCall(call))!.settled_time !== null)

const BRIEF = { RING_SECONDS: 0.1, TALK_SECONDS: 0.1 }

/** Asks the agent as the service does. */
const ask = async (url: string, over: object = {}, secret = world().agentSecret) => {
  const dial = { call_id: '51-1', lead: { phone_number: '+12125550001' }, callback_url: `${process.env['PUBLIC_BASE_URL']}/` }
  const asked = { ...dial, disclosures: [], not_after: new Date(now() + HOUR).toISOString(), ...over }
  const { headers, body } = agentRequest(secret, '', asked)
  // A kept connection would belong to an agent that has ended, when the next one listens on its port.
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, connection: 'close' }, body })
  return { status: answer.status, body: await answer.json() }
}

describe('the example of a voice agent', () => {
  it('the example of a voice agent accepts a call, reports it, and so closes the lead', async () => {
    const { dials } = await startExample(BRIEF)
    const one = await called()
    await settled(one)
    await eventually(async () => (await callOf(one)).duration_seconds !== null)
    expect(await callOf(one)).toMatchObject({ call_status: 'COMPLETED', outcome: 'COMPLETED_CLOSED_OTHER', is_contact: true })
    expect(await leadNow(one.lead)).toMatchObject({ status: 'CLOSED', status_detail: 'LEAD_ASSIGNED', metadata: { is_homeowner: true } })
    expect(dials()).toEqual([`Dialling ${one.phone} for ${one.call}`])
  })

  it('the example of a voice agent repeats reports that the service does not accept at first', async () => {
    const refused = new Set<string>()
    onReport = (told) => {
      if (refused.has(told.type)) return undefined
      refused.add(told.type)
      return { status: 503 }
    }
    await startExample(BRIEF)
    const one = await called()
    await settled(one)
    expect(await leadNow(one.lead)).toMatchObject({ status: 'CLOSED' })
  })

  it('the example of a voice agent does not dial again for a key that it knows, even after a restart', async () => {
    onReport = () => ({ status: 200, body: '{}' })
    const first = await startExample(BRIEF)
    const answers = await Promise.all([ask(first.url), ask(first.url)])
    await first.end()
    const second = await startExample(BRIEF)
    const again = await ask(second.url)
    await second.end()
    expect([...answers, again]).toEqual(Array.from({ length: 3 }, () => ({ status: 200, body: { provider_call_id: 'example-51-1' } })))
    expect([first.dials(), second.dials()]).toEqual([['Dialling +12125550001 for 51-1'], []])
  })

  it('the example of a voice agent does not dial for a request that has a wrong signature or comes too late', async () => {
    const { url, dials, end } = await startExample(BRIEF)
    expect(await ask(url, {}, 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==')).toMatchObject({ status: 401 })
    expect(await ask(`${url}/cancel`, {}, 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==')).toMatchObject({ status: 401 })
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
    expect(await ask(url, { not_after: new Date(now() - 1000).toISOString() })).toMatchObject({ status: 422 })
    await end()
    expect(dials()).toEqual([])
  })

  it('the example of a voice agent stops ringing when the service cancels the call', async () => {
    await startExample({ RING_SECONDS: ENDLESS, TALK_SECONDS: ENDLESS })
    const one = await called()
    await patched(one.lead, { status: 'CANCELLED' })
    await place(await queued())
    await settled(one)
    expect(await callOf(one)).toMatchObject({ outcome: 'DIAL_FAILED', answered_time: null, is_contact: false })
    expect(await leadNow(one.lead)).toMatchObject({ status: 'CANCELLED', next_call_time: null })
  })

  it('the example of a voice agent ends the conversation when the answer to a report says so', async () => {
    onReport = async ({ type: told, call_id }) => {
      if (told === 'call.answered') await patched(Number.parseInt(call_id, 10), { call_dnc: true })
      return undefined
    }
    await startExample({ RING_SECONDS: 0.1, TALK_SECONDS: ENDLESS })
    const one = await called()
    await settled(one)
    expect(await callOf(one)).toMatchObject({ answered_time: expect.any(String), is_contact: true })
    expect(await leadNow(one.lead)).toMatchObject({ call_dnc: true, next_call_time: null })
  })
})
