import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { findFreePort } from '#lib/local/processes/ports.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { listen } from '#test/support/platforms/emulator.ts'
import { TRIAL_PLATFORMS } from '#test/support/platforms/trial-platforms.ts'
import { signTwilio } from '#test/support/platforms/twilio-contract.ts'
import { NOON } from '#test/support/samples.ts'
import { SECRET, startAgent } from '#test/support/simulated-agent.ts'
import { savePlatformAgent, shown, waitingClock } from '#test/support/trial-world.ts'

const { tool } = opsWorld()
const { cleanUp } = cleanUpEach('reports')

/** Real time for the agent's server, while the tool's clock takes seconds. */
const clock = () => waitingClock(() => pause(20))

const ops = async (args: readonly string[], waiting = clock()) => shown(args.join(' '), await tool().ops(args, { waiting }))
const arguments_ = (agent: string, phone: string, ...flags: readonly string[]) => [
  ...['agents', 'try', agent, phone, '--timezone', 'America/New_York', '--yes', ...flags],
]

describe('a trial of an agent of our own protocol', () => {
  let serial = 0
  const saveOpen = async (url: string, secret = SECRET): Promise<string> => {
    const id = `own-${++serial}`
    await saveAgent({ id, url, secrets: [secret] })
    return id
  }

  it.each([
    ['0001', 'transferred_warm', 'Its lead would be CLOSED (warm_transfer). Next call: none.'],
    ['0004', 'callback_requested', /Its lead would be CALLBACK_TO_TRANSFER\. Next call: at \S+Z, as promised\./],
    ['0007', 'do_not_call', 'Its number would go on the do-not-contact list.'],
    ['0002', 'no_answer', 'Its lead would be OPEN. Next call: after 30 minutes, or as the lead type says.'],
  ])('a trial prints the reports that the simulated agent signs and sends: %s', async (lastFour, outcome, aftermath) => {
    const agent = await startAgent('http://127.0.0.1:1')
    const { code, out } = await ops(arguments_(await saveOpen(agent.url), `+1212555${lastFour}`))
    expect(out).toContain(`\nOutcome: ${outcome} (reported).\n`)
    expect(out).toMatch(aftermath)
    expect(code).toBe(0)
  })

  it('a trial sends the agent the documented request, with the name and the script of the command', async () => {
    const seen = await listen(() => ({ status: 422 }))
    cleanUp(seen.close)
    const { code, out } = await ops(arguments_(await saveOpen(seen.url), '+12125550001', '--name', 'Bea', '--script', 'Ask for the roof.'))
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('The call was refused, so no phone rings') })
    const [request] = seen.seen
    const { call_id, lead, disclosures, ...others } = JSON.parse(request?.body ?? '')
    expect(request?.headers).toMatchObject({ 'idempotency-key': call_id, 'webhook-signature': expect.stringMatching(/^v1,/) })
    expect(lead).toMatchObject({ phone_number: '+12125550001', metadata: { first_name: 'Bea' }, status: 'OPEN' })
    expect(disclosures).toContainEqual(expect.objectContaining({ jurisdiction: 'federal', citations: ['47 CFR 64.1200(b)'] }))
    expect(others).toEqual({
      ...{ script: 'Ask for the roof.', transfer: null, escalation: null, calendar: false },
      callback_url: expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/api/agents/calls/${call_id}/events/$`)),
      requested_time: '2026-11-20T16:00:00.000000+00:00',
      not_after: '2026-11-20T16:00:30.000000+00:00',
    })
  })

  /** An agent that answers 500 and then reports, with signatures by these secrets. */
  const startUnclear = async (secrets: readonly string[]) => {
    const agent = await listen(({ body }) => {
      const { call_id, callback_url } = JSON.parse(body)
      const report = JSON.stringify({ type: 'call.completed', call_id, time: new Date(NOON).toISOString(), data: { outcome: 'busy' } })
      const at = new Date()
      for (const secret of secrets) {
        const signature = new Webhook(secret).sign('m-1', at, report)
        const headers = { 'webhook-id': 'm-1', 'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`, 'webhook-signature': signature }
        void fetch(callback_url, { method: 'POST', headers, body: report }).catch(() => undefined)
      }
      return { status: 500 }
    })
    cleanUp(agent.close)
    return agent
  }

  it('a trial continues after an unclear answer when a report shows that the call exists', async () => {
    const agent = await startUnclear([SECRET])
    const { code, out, err } = await ops(arguments_(await saveOpen(agent.url), '+12125550001'))
    expect(err).toContain('The request is not repeated. If the call exists, its reports still arrive here.')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Outcome: busy (reported).') })
    expect(agent.seen).toHaveLength(1)
  })

  it('a trial refuses reports with another signature, and says so', async () => {
    const agent = await startUnclear([`whsec_${Buffer.from('another secret of twenty').toString('base64')}`])
    const { code, out, err } = await ops(arguments_(await saveOpen(agent.url), '+12125550001'))
    expect(err).toContain('A request was refused: its signature is missing, wrong or too old.')
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringContaining('Nobody knows whether the phone rang. It is not dialled again.'),
    })
  })

  it('a trial asks the agent to end the call after Ctrl-C', async () => {
    const agent = await startAgent('http://127.0.0.1:1', undefined, 0.001)
    const waiting = clock()
    waiting.interruptIn(1)
    const { code, out } = await ops(arguments_(await saveOpen(agent.url), '+12125550001'), waiting)
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('The agent took the request to end the call.') })
  })

  it('a trial with --json prints one JSON document a line', async () => {
    const agent = await startAgent('http://127.0.0.1:1')
    const { code, out } = await ops(arguments_(await saveOpen(agent.url), '+12125550006', '--json'))
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ type }) => type)).toEqual([
      ...['trial.placed', 'call.answered', 'call.data_collected', 'call.ended', 'call.completed', 'trial.result'],
    ])
    expect(lines.at(-1)).toMatchObject({ outcome: 'not_interested', presumed: false, service: { status: 'LOST', next_call: 'none' } })
    expect(code).toBe(0)
  })

  it('a trial places no call with an agent that could not report', async () => {
    const { code, err } = await ops(arguments_(await saveOpen('https://voice.example.com/calls'), '+12125550001'))
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/is not on this machine.*--public-url.*Nobody was called\./) })
  })
})

describe('a trial through a tunnel', () => {
  it('a trial through a tunnel prints a callback signed for the public address, and refuses another one', async () => {
    const twilio = TRIAL_PLATFORMS.find(({ name }) => name === 'twilio')!
    const waiting = clock()
    const platform = await twilio.start(waiting.now)
    cleanUp(platform.close)
    platform.callbackFault = 'lost'
    const agent = await savePlatformAgent(twilio, platform)
    const port = await findFreePort()
    const statuses: number[] = []
    const report = async (token: string): Promise<void> => {
      const form = new URLSearchParams(platform.seen.find(({ method }) => method === 'POST')?.body)
      const url = form.get('StatusCallback') ?? ''
      const event = new URLSearchParams({ CallSid: 'CA00000000000000000000000000000001', CallStatus: 'in-progress' })
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signTwilio(token, url, event) }
      const { pathname, search } = new URL(url)
      const answer = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { method: 'POST', headers, body: event.toString() })
      statuses.push(answer.status)
    }
    let pauses = 0
    const tunnel = {
      ...waiting,
      pause: async (milliseconds: number) => {
        if (pauses++ === 0) for (const token of [twilio.apiKey, twilio.apiKey, 'another']) await report(token)
        await waiting.pause(milliseconds)
      },
    }
    const flags = ['--public-url', 'https://calls.example.com/', '--port', String(port)]
    const { code, out, err } = await ops(arguments_(agent, '+12125550123', ...flags), tunnel)
    expect(statuses).toEqual([200, 200, 401])
    expect(out.match(/call\.answered/g)).toHaveLength(1)
    expect(err).toContain('A request was refused: its signature is missing, wrong or too old.')
    expect(out).toContain('Outcome: completed (presumed')
    expect(code).toBe(0)
  })
})

describe('the text of a trial', () => {
  const bland = TRIAL_PLATFORMS.find(({ name }) => name === 'bland')!
  const start = async () => {
    const platform = await bland.start(() => NOON)
    cleanUp(platform.close)
    process.env['PLATFORM_BASE_URL'] = ''
    return platform
  }
  const plan = (agent: string) => `  agent       ${agent}
  platform    bland, assistant pathway_1
  calls from  +15005550006
  calls       +12125550000
  call id     try-ID
  reports     none; the platform is asked every few seconds

The calling rules allow the call. They are not legal advice. The phone rings NOW, once. The call may cost money.
`

  it('a trial prints a call from the plan to what would follow from it', async () => {
    const agent = await savePlatformAgent(bland, await start())
    expect(await ops(arguments_(agent, '+12125550000'))).toEqual({
      code: 0,
      err: '',
      out: `${plan(agent)}The call is placed. Its id at the agent is c_1. Ctrl-C ends the call.

2026-11-20T16:00:00Z  call.answered            Somebody, or a machine, answered.
2026-11-20T16:00:42Z  call.ended               The call is over. duration_seconds: 42
2026-11-20T16:00:42Z  call.completed           The outcome is known, and nothing more follows. outcome: not_interested

Outcome: not_interested (reported).
In the service, the call would have the outcome COMPLETED_STOP_CALLING.
Its lead would be LOST. Next call: none.
`,
    })
  })

  it('check and try say that the API key of the platform is wrong', async () => {
    const agent = await savePlatformAgent(bland, await start(), { apiKey: 'expired' })
    expect(await ops(['agents', 'check', agent])).toEqual({
      code: 1,
      out: '- Bland rejects the API key. Copy it from the account settings.\n',
      err: 'No platform can report to this service, because it has no public address. It asks the platform about its calls every minute. The secret and the address of callbacks were not checked.\n',
    })
    expect(await ops(arguments_(agent, '+12125550000'))).toEqual({
      code: 1,
      err: '',
      out: `${plan(agent)}The call was refused, so no phone rings: Bland answered 401: AUTH_FAILURE Unauthorized
In the service, the agent would get no calls for a while. To see what to change, use: npm run ops -- agents check ${agent}
`,
    })
  })
})
