import { beforeAll, expect, it } from '@jest/globals'
import { handler as explain } from '#functions/leads/explain.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { getEmergencies, saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { send } from '#test/support/api-event.ts'
import { setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { consumeAll, KEY } from '#test/support/world.ts'

const world = suiteWorld()

beforeAll(async () => {
  setClock(NOON)
  await saveEmergencies(['new york', 'NY'])
})

it('an emergency is declared only for jurisdictions that exist', async () => {
  for (const jurisdictions of [['NY', 'New Yrok'], [''], ['ZZ']]) {
    await expect(saveEmergencies(jurisdictions)).rejects.toThrow('The emergency cannot be declared')
  }
  expect([...(await getEmergencies())]).toEqual(['NY'])
})

it('an emergency bars calls to its jurisdiction and to no other', async () => {
  const barred = await created({ us_state: 'NY' })
  const other = await created({ us_state: 'NJ' })
  await consumeAll(placeCall, await world().queues.take('CALL_QUEUE_URL'))
  const held = await getLead(barred.id)
  expect(held).toMatchObject({ attempts: 0, status: 'OPEN', due_list: 'HELD', held_by: 'emergency NY' })
  expect(await getLead(other.id)).toMatchObject({ attempts: 1 })

  const path = `/api/leads/${barred.id}/explain/`
  const { json } = await send(explain, { method: 'GET', path, params: { id: `${barred.id}` }, headers: { Authorization: `Token ${KEY}` } })
  expect(json).toMatchObject({ callable: false, next_callable_time: null })
  const window = json.gates.find(({ gate }: { gate: string }) => gate === 'window')
  expect(window).toMatchObject({ passed: false, detail: expect.stringContaining('A declared emergency in NY bars all calls.') })
})
