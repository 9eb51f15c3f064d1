import { afterEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as create } from '#functions/leads/create.ts'
import { handler as subscribe } from '#functions/webhooks/create.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { nextId } from '#shared/platform/ids/ids.ts'
import { idsKey } from '#shared/platform/keys.ts'
import { getItem, putItem } from '#shared/platform/table/table.ts'
import { lastPosition } from '#shared/positions/position-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkCreated, postBulk, postOnce } from '#test/support/bulk-creates.ts'
import { newPhone, times } from '#test/support/lead-requests.ts'
import { OWNER, request } from '#test/support/world.ts'

callWorld()

const MOST_ID = 2 ** 31 - 1

const lastTaken = async () => (await getItem(v.object({ next: v.number() }), idsKey))?.next ?? 0

/** Ids that `run` has used up, give or take the block of 50 that this process has leased. */
const spent = async (run: () => Promise<unknown>): Promise<number> => {
  const before = await lastTaken()
  await run()
  return (await lastTaken()) - before
}

const post = (body: unknown, key?: string) =>
  request(create, { method: 'POST', path: '/api/leads/', body, headers: key === undefined ? {} : { 'Idempotency-Key': key } })

let keys = 0
const newKey = () => `spent-${++keys}`

const takenPerson = async () => {
  const person = { phone_number: newPhone(), email: 'taken@example.com' }
  await post(person)
  return person
}

describe('the ids of the service', () => {
  it('bulk requests that create nothing do not use up the ids of the service', async () => {
    const person = await takenPerson()
    const leads = Array.from({ length: 100 }, () => person)
    const refused = await spent(() => times(2, () => postOnce(newKey(), leads)))
    expect(refused).toBeLessThanOrEqual(50)
  })

  it('bulk requests that name one new person again and again do not use up the ids of the service', async () => {
    const [phone_number, email] = [newPhone(), 'once@example.com']
    const leads = Array.from({ length: 120 }, () => ({ phone_number, email }))
    expect(await spent(() => postOnce(newKey(), leads))).toBeLessThanOrEqual(50)
  })

  it('refused single creates, with a key or without, do not use up the ids of the service', async () => {
    const person = await takenPerson()
    const refused = async (key?: string) => expect((await post(person, key)).status).toBe(400)
    expect(await spent(() => times(70, (n) => refused(n % 2 ? newKey() : undefined)))).toBeLessThanOrEqual(50)
  })

  it('creates that reengage a lead do not use up the ids of the service', async () => {
    const leads = Array.from({ length: 80 }, () => ({ phone_number: newPhone() }))
    await bulkCreated(leads.map((lead) => ({ ...lead, status: 'CLOSED' })))
    const again = leads.map((lead) => ({ ...lead, min_reengagement_days: 0 }))
    const reengage = async () => {
      const { body } = await postOnce(newKey(), again.slice(0, 40))
      expect(body.results.every(({ action }: { action: string }) => action === 'reengaged')).toBe(true)
      await times(40, async (n) => expect((await post(again[40 + n], newKey())).status).toBe(200))
    }
    expect(await spent(reengage)).toBeLessThanOrEqual(50)
  })

  it('concurrent creates of one person do not use up the ids of the service', async () => {
    const before = await lastTaken()
    for (let round = 0; round < 12; round++) {
      const person = { phone_number: newPhone(), email: 'race@example.com' }
      const answers = await times(8, (n) => post(person, n % 2 ? newKey() : undefined))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    }
    expect((await lastTaken()) - before).toBeLessThanOrEqual(50)
  })

  it('refused subscriptions do not use up the ids of the service', async () => {
    const make = () =>
      request(subscribe, {
        method: 'POST',
        path: '/api/webhooks/',
        body: { url: 'https://example.com/', trigger: ['LEAD_CREATED'] },
        headers: { 'Idempotency-Key': newKey() },
      })
    for (let made = 0; made < 100; made++) expect((await make()).status).toBe(201)
    expect(await spent(() => times(70, async () => expect((await make()).status).toBe(400)))).toBeLessThanOrEqual(50)
  })
})

describe('a bulk request with an Idempotency-Key', () => {
  it('a bulk request with an Idempotency-Key spends one id for each lead that it creates', async () => {
    const taken = await takenPerson()
    const leads = Array.from({ length: 75 }, (_, place) => (place % 3 === 0 ? taken : { phone_number: newPhone() }))
    const refused = await postOnce(newKey(), leads)
    const ids: (number | null)[] = refused.body.results.map(({ id }: { id: number | null }) => id)
    const made = ids.filter((id) => id !== null)
    expect(new Set(made).size).toBe(50)
    expect(Math.max(...made) - Math.min(...made)).toBeLessThan(100)
  })
})

describe('a service without free ids', () => {
  const NO_IDS = 'The service has no ids left for new items. Its operator has been alerted.'

  /** No more than what this process has leased is left. */
  const exhaust = async (left = 0): Promise<void> => {
    await putItem({ ...idsKey, next: MOST_ID - left })
    const before = await lastTaken()
    for (;;) {
      try {
        if ((await nextId()) > before) throw new Error('An id beyond the end.')
      } catch (error) {
        if (error instanceof Error && error.name === 'ServiceError') return
        throw error
      }
    }
  }
  const counted = { next: 0 }
  afterEach(async () => {
    await putItem({ ...idsKey, next: counted.next })
  })

  it('a service without free ids refuses creates and writes nothing', async () => {
    counted.next = await lastTaken()
    await exhaust(10)
    const phone_number = newPhone()
    const before = await lastPosition(OWNER)
    for (const key of [undefined, newKey()]) {
      expect(await post({ phone_number }, key)).toMatchObject({ status: 503, body: { detail: NO_IDS } })
    }
    expect(await postBulk({ leads: [{ phone_number }] })).toMatchObject({
      body: { results: [{ id: null, action: 'error', error: NO_IDS }] },
    })
    expect((await getPerson(OWNER, phone_number)).leads).toEqual([])
    expect(await lastPosition(OWNER)).toBe(before)
    expect(await getLead(MOST_ID)).toBeUndefined()
  })

  it('a bulk request that was refused without free ids can be repeated with its key once ids are free again', async () => {
    counted.next = await lastTaken()
    await exhaust()
    const [key, leads] = [newKey(), [{ phone_number: newPhone() }]]
    expect((await postOnce(key, leads)).body.results).toEqual([{ id: null, action: 'error', error: NO_IDS }])
    await putItem({ ...idsKey, next: counted.next })
    expect((await postOnce(key, leads)).body.results).toEqual([expect.objectContaining({ action: 'created' })])
    expect(await bulkCreated([{ phone_number: newPhone() }])).toEqual([expect.objectContaining({ action: 'created' })])
  })
})
