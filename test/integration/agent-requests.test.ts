import { expect, it } from '@jest/globals'
import document from '#functions/docs/openapi.json' with { type: 'json' }
import { isSignedWith } from '#shared/agents/platforms/open/adapter.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { patched } from '#test/support/lead-requests.ts'
import { eventPromises } from '#test/support/openapi/promise.ts'

const { world, queued, place, inCall } = callWorld()

const breaches = eventPromises(document)

it('requests to place and to cancel a call have the path, headers and body that the API document describes', async () => {
  const { lead, call } = await inCall()
  await patched(lead, { status: 'CANCELLED' })
  await place(await queued())
  const requests = world().agent.requests
  expect(requests.map(({ method, path, headers }) => [method, path, headers['idempotency-key']])).toEqual([
    ['POST', '/', call],
    ['POST', '/cancel', `${call}-cancel`],
  ])
  for (const [index, name] of (['placeCall', 'cancelCall'] as const).entries()) {
    const { headers, body } = requests[index]!
    expect({ name, breaches: breaches(name, JSON.parse(body)) }).toEqual({ name, breaches: [] })
    const documented = document.webhooks[name].post.parameters.map((parameter) => parameter.name.toLowerCase())
    expect(Object.keys(headers)).toEqual(expect.arrayContaining([...documented, 'webhook-signature']))
    expect(isSignedWith([world().agentSecret], body, headers as Record<string, string>)).toBe(true)
  }
})
