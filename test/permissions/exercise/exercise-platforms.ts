import { toolAuthorization } from '#shared/agents/platform-requests.ts'
import type { Emulator } from '#test/support/platforms/emulator.ts'
import { TRIAL_PLATFORMS, type TrialPlatform } from '#test/support/platforms/trial-platforms.ts'
import type { Json, Service } from '#test/support/service.ts'
import { asking, begun, CALLED, underWay } from './asking.ts'
import { operatorOf, UNTHROTTLED } from './operator.ts'

const platformNamed = (name: string): TrialPlatform => {
  const found = TRIAL_PLATFORMS.find((one) => one.name === name)
  if (!found) throw new Error(`There is no emulator of ${name}.`)
  return found
}

/** It sends the calls of tools as events. */
const VAPI = platformNamed('vapi')
/** Its conversations are the customer's own code, which sends the calls of tools itself. */
const TWILIO = platformNamed('twilio')

const variables = (one: TrialPlatform): Readonly<Record<string, string>> => ({
  [`${one.name.toUpperCase()}_KEY`]: one.apiKey,
  [`${one.name.toUpperCase()}_SECRET`]: one.callbackSecret ?? '',
})

const agentOn = ({ name, assistant, from: { number, id }, settings, callbackSecret }: TrialPlatform, { url }: Emulator) => ({
  ...{ key: name, platform: name, url, assistant, settings },
  from: [id === null ? number : { number, id }],
  api_key: `\${${name.toUpperCase()}_KEY}`,
  ...(callbackSecret !== null && { callback_secret: `\${${name.toUpperCase()}_SECRET}` }),
})

const USER = {
  key: 'one-line',
  name: 'One line',
  throttle: UNTHROTTLED,
  lines: 1,
  lead_types: [VAPI.name, TWILIO.name, 'simulator'].map((agent) => ({ key: agent, name: agent, agent })),
}

const post = async (url: string, headers: Readonly<Record<string, string>>, body: object): Promise<void> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok || text.includes('"ok":false')) throw new Error(`${url} was answered ${answer.status}: ${text}`)
}

const EARLIER = '2026-11-20T12:00:00Z'
const LATER = '2026-11-20T20:00:00Z'
const OUTCOME = { outcome: 'not_interested', summary: 'Not now.' }

/** Calls on voice platforms. Another lead waits for the line of each of them. No platform can reach the service: this sends their events. */
export const exercisePlatforms = async (service: Service, directory: string): Promise<void> => {
  const [vapi, twilio] = await Promise.all([VAPI.start(Date.now), TWILIO.start(Date.now)])
  try {
    const { apply, issueKey } = operatorOf(directory)
    await apply({ agents: [agentOn(VAPI, vapi), agentOn(TWILIO, twilio)], users: [USER] }, { ...variables(VAPI), ...variables(TWILIO) })
    const asked = asking({ ...service, apiKey: await issueKey(USER.key) })
    const types = (await asked('GET', '/api/lead-types/'))['results'] as Json[]
    /** A request for several leads notes those that wait for a line before it is answered. */
    const create = async (agent: string, phone_number: string): Promise<number> => {
      const lead = { ...CALLED, phone_number, lead_type: types.find(({ name }) => name === agent)?.id }
      await asked('POST', '/api/leads/bulk-create/', { leads: [lead] })
      const { results } = await asked('GET', `/api/leads/?phone_number=${encodeURIComponent(phone_number)}`)
      return (results as Json[])[0]?.id ?? 0
    }

    const first = await create(VAPI.name, `+1212555${VAPI.stays}`)
    const onVapi = await underWay(asked, first)
    const second = await create(TWILIO.name, `+1212555${TWILIO.stays}`)
    const call = { id: vapi.rung[0]?.platformCallId, name: onVapi }
    const events = `${service.url}/api/agents/platforms/${VAPI.name}/events/`
    const tell = (type: string, more: object) =>
      post(events, { 'x-vapi-secret': VAPI.callbackSecret ?? '' }, { message: { type, call, ...more } })
    const use = (name: string, given: object, timestamp: string) =>
      tell('tool-calls', { timestamp, toolCallList: [{ id: `${name}-${timestamp}`, function: { name, arguments: given } }] })
    // The note that comes last was made first: its email replaces the other.
    await use('note', { email: 'later@example.com' }, LATER)
    await use('note', { email: 'earlier@example.com' }, EARLIER)
    await tell('end-of-call-report', { endedReason: 'assistant-ended-call', analysis: { structuredData: OUTCOME } })
    await use('do_not_call', { words: 'Never again.' }, LATER)

    const onTwilio = await underWay(asked, second)
    const third = await create('simulator', '+12125550025')
    const authorization = toolAuthorization(TWILIO.name, TWILIO.apiKey)
    const useOwn = (name: string, given: object) =>
      post(`${service.url}/api/agents/platforms/${TWILIO.name}/tools/${name}/`, { authorization }, { call_id: onTwilio, ...given })
    await useOwn('note', { email: 'own@example.com' })
    await useOwn('report_outcome', OUTCOME)
    await useOwn('do_not_call', { words: 'Never again.' })
    await begun(asked, third)
  } finally {
    await Promise.all([vapi.close(), twilio.close()])
  }
}
