import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as serviceState } from '#functions/service-state.ts'
import { components } from '#lib/openapi/schemas.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { getUser, saveUser } from '#shared/accounts/user-store.ts'
import { countFailure, getBreaker, openBreaker } from '#shared/agents/breaker-store.ts'
import { OPENS_AFTER } from '#shared/agents/rules/breaker.ts'
import { sendLetter } from '#shared/platform/queues/queue-letters.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { KEY, OWNER, request } from '#test/support/world.ts'

const { world } = callWorld()

const STAFF_KEY = 'a-key-of-staff'

const asked = (key: string) => {
  // The queue of deliveries stands for the dead letters.
  process.env['COUNTED_QUEUES'] = `calls ${process.env['CALL_QUEUE_URL']} ${process.env['DELIVERY_QUEUE_URL']}`
  // The queue of slow deliveries stands for the dead letters of the table's stream.
  process.env['COUNTED_EVENT_QUEUES'] = `uncounted  ${process.env['SLOW_DELIVERY_QUEUE_URL']}`
  return request(serviceState, { method: 'GET', path: '/api/health/details/', headers: { Authorization: `Token ${key}` } })
}

const asStaff = async () => {
  await saveUser({ ...(await getUser(OWNER))!, id: 3, name: 'Staff', is_staff: true })
  await saveApiKey(STAFF_KEY, { user: 3, created_time: 0, revoked_time: null })
  const { status, body } = await asked(STAFF_KEY)
  expect(status).toBe(200)
  expect(v.safeParse(components.ServiceState, body).issues).toBeUndefined()
  return body
}

describe('the state of the service', () => {
  it('the state of the service counts the messages of queues', async () => {
    expect(await asStaff()).toMatchObject({ queues: [{ queue: 'calls', waiting: 0, dead_letters: 0 }, {}], agents_down: [] })
    await created()
    expect(await asStaff()).toMatchObject({ queues: [{ queue: 'calls', waiting: 1, dead_letters: 0 }, {}] })
  })

  it('the state of the service counts dead letters that have no queue', async () => {
    const none = { queue: 'uncounted', waiting: 0, in_flight: 0, delayed: 0 }
    expect((await asStaff()).queues).toContainEqual({ ...none, dead_letters: 0 })
    await sendLetter(`${process.env['SLOW_DELIVERY_QUEUE_URL']}`, { id: '1', receipt: '1', sent: 0, body: '{}', group: 'changes' })
    expect((await asStaff()).queues).toContainEqual({ ...none, dead_letters: 1 })
  })

  it('the state of the service names an agent that is down, and when it is tried again', async () => {
    const agent = { id: 'simulator', url: world().agent.url, secrets: [world().agentSecret] }
    for (let failures = 0; failures < OPENS_AFTER; failures++) await countFailure(agent as never, 'It has answered 500.')
    const next = { openings: 1, open_until: NOON + MINUTE, reason: 'It has answered 500.', owner: null }
    await openBreaker('simulator', await getBreaker('simulator'), next)
    expect((await asStaff()).agents_down).toEqual([
      {
        ...{ agent: 'simulator', reason: 'It has answered 500.' },
        ...{ since: '2026-11-20T16:00:00.000000+00:00', until: '2026-11-20T16:01:00.000000+00:00' },
      },
    ])
  })

  it('the state of the service is only for staff', async () => {
    expect(await asked(KEY)).toMatchObject({ status: 403, body: { detail: 'You do not have permission to perform this action.' } })
    expect(await asked('unknown')).toMatchObject({ status: 401 })
  })
})
