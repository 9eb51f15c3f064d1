import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from '@jest/globals'
import document from '#functions/docs/openapi.json' with { type: 'json' }
import { isSignedWith } from '#shared/agents/platforms/open/adapter.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { TableBusyError } from '#shared/platform/transient-errors.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created, patched } from '#test/support/lead-requests.ts'
import { eventPromises } from '#test/support/openapi/promise.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

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

it('an acceptance is recorded once the table is not busy any more, and the agent is not asked again', async () => {
  const { id } = await created()
  const messages = await queued()
  let refusals = 0
  const refuse = (command: unknown): void => {
    if (!(command instanceof UpdateCommand) || world().agent.requests.length === 0 || refusals > 0) return
    refusals++
    throw new TableBusyError('The table is busy.')
  }
  expect(await beforeEachSend(refuse, () => place(messages))).toEqual([])
  expect(refusals).toBe(1)
  expect(await getCall(`${id}-1`)).toMatchObject({ accepted_time: expect.any(Number) })
  expect(world().agent.requests).toHaveLength(1)
})
