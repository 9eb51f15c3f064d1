import { describe, expect, it } from '@jest/globals'
import { createAll } from '#shared/leads/bulk/bulk-create.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkCreated, postOnce, withoutTransactionsOf } from '#test/support/bulk-creates.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { reservationOf } from '#test/support/reservations.ts'
import { OWNER } from '#test/support/world.ts'

callWorld()

describe('a repeated bulk request', () => {
  it('a repeated bulk request finishes the one that crashed, without creating a lead twice', async () => {
    const [phone_number, other] = [newPhone(), newPhone()]
    const items = [
      { phone_number, status: 'CLOSED', external_id: 'first' },
      { phone_number, min_reengagement_days: 0 },
      { phone_number: other, email: 'a@example.com' },
      { phone_number: other, email: 'a@example.com' },
      { phone_number },
      'text',
    ]
    const reservation = (place: number) => reservationOf(900_000 + place)
    await createAll(OWNER, items.slice(0, 3), { reservation })
    const { results: answers } = await createAll(OWNER, items, { reservation, isRepeat: true })
    expect(answers.map(({ id, action }) => [id, action])).toEqual([
      [900_000, 'created'],
      [900_000, 'reengaged'],
      [900_002, 'created'],
      [null, 'error'],
      [900_004, 'created'],
      [null, 'error'],
    ])
    expect(await getLead(900_000)).toMatchObject({ reengagements_count: 1 })
    expect((await getPerson(OWNER, phone_number)).leads.map(({ id }) => id)).toEqual([900_000, 900_004])
    expect((await getPerson(OWNER, other)).leads.map(({ id }) => id)).toEqual([900_002])
  })

  it('a repeated bulk request replays the answer of the first one when that has finished', async () => {
    const leads = [{ phone_number: newPhone() }, {}, 'text', { phone_number: newPhone() }]
    const first = await postOnce('bulk-1', leads)
    expect(await postOnce('bulk-1', leads)).toMatchObject({ status: 200, body: first.body, headers: { 'Idempotent-Replayed': 'true' } })
  })
})

describe('a bulk request with unfinished items', () => {
  const actions = ({ body }: Awaited<ReturnType<typeof postOnce>>) => body.results.map(({ action }: { action: string }) => action)

  it('a repeated bulk request processes only the items that the first one did not finish', async () => {
    const [failing, created, reengaged] = [newPhone(), newPhone(), newPhone()]
    const [old] = await bulkCreated([{ phone_number: reengaged, status: 'CLOSED' }])
    const leads = [
      {},
      { phone_number: failing },
      { phone_number: created },
      { phone_number: created },
      { phone_number: reengaged, min_reengagement_days: 0 },
    ]
    const first = await withoutTransactionsOf(failing, () => postOnce('bulk-2', leads))
    expect(actions(first)).toEqual(['error', 'error', 'created', 'created', 'reengaged'])
    expect(first.body).not.toHaveProperty('keep')
    const second = await postOnce('bulk-2', leads)
    expect(second.headers).not.toHaveProperty('Idempotent-Replayed')
    expect(second.body.results).toEqual([
      first.body.results[0],
      { id: expect.any(Number), action: 'created', phone_number: failing, external_id: null },
      ...first.body.results.slice(2),
    ])
    for (const phone of [failing, reengaged]) expect((await getPerson(OWNER, phone)).leads).toHaveLength(1)
    expect((await getPerson(OWNER, created)).leads).toHaveLength(2)
    expect(await getLead(old.id)).toMatchObject({ reengagements_count: 1 })
    const third = await postOnce('bulk-2', leads)
    expect(third).toMatchObject({ body: second.body, headers: { 'Idempotent-Replayed': 'true' } })
  })

  it('a repeated bulk request creates the leads for which the first one had no time left', async () => {
    const leads = [{ phone_number: newPhone() }]
    const now = Date.now
    let calls = 0
    Date.now = () => now() + 26_000 * calls++
    const first = await postOnce('bulk-3', leads).finally(() => {
      Date.now = now
    })
    expect(first.body.results[0].error).toBe('There was no time left for this lead. Please send it again.')
    expect(actions(await postOnce('bulk-3', leads))).toEqual(['created'])
  })

  it('a repeat of a bulk request with unfinished items is refused when it has another body', async () => {
    const phone_number = newPhone()
    await withoutTransactionsOf(phone_number, () => postOnce('bulk-4', [{ phone_number }]))
    expect((await postOnce('bulk-4', [{ phone_number: newPhone() }])).status).toBe(422)
  })
})
