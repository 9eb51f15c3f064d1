import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { helped } from '#test/support/helped.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { type Json, type Service, startService, until } from '#test/support/service.ts'

const CLIENTS = 64
/** `LEADS=5000` runs the long form. */
const LEADS = Number(process.env['LEADS'] ?? 600)
/** Leads are not called during the tests: it is early morning there. */
const timezone = 'Pacific/Honolulu'

let service: Service
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(async () => {
  await service?.end()
  await receiver?.close()
})

const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

const create = (fields: Record<string, unknown>, key?: string) => service.call('POST', '/api/leads/', { timezone, ...fields }, key)

const created = async (fields: Record<string, unknown>, key?: string): Promise<Json> => {
  const { status, body } = await create(fields, key)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

const leadNow = async (id: number) => (await service.call('GET', `/api/leads/${id}/`)).body
const patch = (id: number, fields: Record<string, unknown>) => service.call('PATCH', `/api/leads/${id}/`, fields)

const NOT_UNIQUE = { non_field_errors: [helped('The fields email, phone_number, company must make a unique set. …')] }

/** All pages from the first on, by their links. */
const walk = async (path: string, key: string) => {
  const pages: { count: number; next: string | null; previous: string | null; results: Json[] }[] = []
  for (let url: string | null = `${service.url}${path}`; url !== null; url = pages.at(-1)!.next) {
    const { status, body } = await service.call('GET', url.slice(service.url.length), undefined, key)
    expect(status).toBe(200)
    pages.push(body as never)
  }
  return pages
}

describe('64 clients at once', () => {
  it('64 clients at once create only one lead for the same phone and email', async () => {
    const answers = await times(CLIENTS, (client) => create({ phone_number: '+12125550101', email: client % 2 ? 'a@b.co' : 'A@B.co' }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { body } of answers.filter(({ status }) => status !== 201)) expect(body).toEqual(NOT_UNIQUE)
    expect(answers.every(({ status }) => status === 201 || status === 400)).toBe(true)
    const { body } = await service.call('GET', '/api/leads/?phone_number=%2B12125550101')
    expect(body['count']).toBe(1)
  })

  it(`64 clients at once create ${LEADS} leads, each of which is on one page`, async () => {
    const key = service.staffApiKey
    const ids: number[] = []
    let next = 0
    const client = async () => {
      for (let number = next++; number < LEADS; number = next++) {
        const lead = await created({ phone_number: `+1212556${`${number}`.padStart(4, '0')}`, external_id: `n${number}` }, key)
        ids.push(lead.id)
      }
    }
    await times(CLIENTS, client)
    expect(new Set(ids).size).toBe(LEADS)

    const pages = await walk('/api/leads/?page_size=100', key)
    expect(pages).toHaveLength(Math.ceil(LEADS / 100))
    expect(new Set(pages.map(({ count }) => count))).toEqual(new Set([LEADS]))
    const listed = pages.flatMap(({ results }) => results.map(({ id }) => id))
    expect(listed).toHaveLength(LEADS)
    expect(new Set(listed)).toEqual(new Set(ids))
    expect(pages.map(({ previous }) => previous)).toEqual(
      pages.map((_, index) => (index === 0 ? null : `${service.url}/api/leads/?${index === 1 ? '' : `page=${index}&`}page_size=100`)),
    )
    const last = await service.call('GET', '/api/leads/?page=last&page_size=100', undefined, key)
    expect(last.body['results']).toEqual(pages.at(-1)!.results)
    const byDefault = await service.call('GET', '/api/leads/?page=2', undefined, key)
    expect(byDefault.body).toMatchObject({ previous: `${service.url}/api/leads/`, next: `${service.url}/api/leads/?page=3` })
    expect(byDefault.body['results']).toEqual(pages[0]!.results.slice(50))
  })

  it('64 clients at once change one lead in different ways without losing a change', async () => {
    const { id } = await created({ phone_number: '+12125550102' })
    const fields = { email: 'a@b.co', external_id: 'x', us_state: 'HI', lead_source: 'web', representative: 7, sms_dnc: true }
    const changes: Record<string, unknown>[] = [
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
      ...Array.from({ length: CLIENTS - 6 }, (_, client) => ({ metadata: { [`key${client}`]: client } })),
    ]
    const answers = await Promise.all(changes.map((change) => patch(id, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    const metadata = Object.fromEntries(Array.from({ length: CLIENTS - 6 }, (_, client) => [`key${client}`, client]))
    expect(await leadNow(id)).toMatchObject({ ...fields, metadata })
  })
})

describe('a lead that is created again', () => {
  it('a lead that is created again is reengaged, and its events show it before and after', async () => {
    const trigger = ['LEAD_CREATED', 'LEAD_BEFORE_REENGAGEMENT', 'LEAD_REENGAGEMENT']
    expect((await service.call('POST', '/api/webhooks/', { url: `${receiver.url}/hook`, trigger })).status).toBe(201)
    const person = { phone_number: '+12125550103', email: 'again@example.com' }
    const first = await created({ ...person, external_id: 'old', lead_source: 'first', color: 'red', size: 1 })
    expect(await create(person)).toMatchObject({ status: 400, body: NOT_UNIQUE })
    const lost = (await patch(first.id, { status: 'LOST', sms_dnc: true })).body
    expect(lost).toMatchObject({ status: 'LOST', status_reason: 'MANUAL', next_call_time: null })
    expect(await create(person)).toMatchObject({ status: 400, body: NOT_UNIQUE })

    const again = await create({ ...person, email: 'Again@Example.com', external_id: 'new', color: 'blue', min_reengagement_days: 0 })
    expect(again).toMatchObject({
      status: 200,
      body: {
        id: first.id,
        status: 'OPEN',
        status_reason: 'REENGAGEMENT',
        next_call_time: '2026-11-20T18:00:00.000000+00:00',
        next_call_time_reason: 'REENGAGEMENT',
        reengagements_count: 1,
        external_id: 'new',
        lead_source: 'first',
        sms_dnc: true,
        metadata: { color: 'blue', size: 1, external_id: 'new' },
        created_time: first['created_time'],
      },
    })
    expect(again.body['last_reengagement_time']).toBe(again.body['modified_time'])
    expect(await leadNow(first.id)).toEqual(again.body)

    // Events of earlier leads may still be on their way.
    const payloads = () => receiver.requests.map(({ body }) => JSON.parse(body)).filter(({ id }) => id === first.id)
    const told = await until(
      () => new Map(payloads().map((payload) => [payload.trigger, payload])),
      ({ size }) => size === trigger.length,
    )
    expect([...told.keys()].toSorted()).toEqual(trigger.toSorted())
    expect(told.get('LEAD_CREATED')).toMatchObject(first)
    expect(told.get('LEAD_BEFORE_REENGAGEMENT')).toMatchObject(lost)
    expect(told.get('LEAD_REENGAGEMENT')).toMatchObject(again.body)
    expect((await service.call('GET', '/api/leads/?external_id=old')).body['count']).toBe(0)
    expect((await service.call('GET', '/api/leads/?external_id=new')).body['count']).toBe(1)
  })

  it('a past lead is reengaged once when 64 clients create it again at once', async () => {
    const person = { phone_number: '+12125550104', email: 'many@example.com' }
    const { id } = await created({ ...person, status: 'CANCELLED' })
    const answers = await times(CLIENTS, (client) => create({ ...person, min_reengagement_days: 0, [`key${client}`]: client }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 400)
    expect(refused).toHaveLength(63)
    for (const { body } of refused) expect(body).toEqual(NOT_UNIQUE)
    expect(await leadNow(id)).toMatchObject({ status: 'OPEN', reengagements_count: 1 })
  })
})

describe('a bulk update', () => {
  it('a bulk update applies stops at once and the other changes soon', async () => {
    const leads = await times(50, (index) => created({ phone_number: `+1312555${`${1000 + index}`}` }))
    const stops = [{ status: 'CANCELLED' }, { status: 'LOST' }, { call_dnc: true }, { sms_dnc: true }, {}]
    const items = leads.map(({ id }, index) => ({ id, ...stops[index % stops.length], lead_source: `bulk ${index}` }))
    const { status, body } = await service.call('PATCH', '/api/leads/bulk-update/', { leads: items })
    expect(status).toBe(202)
    const results = body['results'] as { id: number; action: string; task_id: string }[]
    expect(results).toEqual(leads.map(({ id }) => ({ id, action: 'queued', task_id: expect.any(String) })))

    const stopped = await Promise.all(leads.map(({ id }) => leadNow(id)))
    for (const [index, lead] of stopped.entries()) {
      expect(lead).toMatchObject(stops[index % stops.length]!)
      if (index % stops.length < 3) expect(lead.next_call_time).toBeNull()
    }
    const tasks = () => times(50, async (index) => (await service.call('GET', `/api/tasks/${results[index]!.task_id}/`)).body)
    const done = await until(tasks, (all) => all.every((task) => task.status === 'applied'))
    expect(done.map((task) => task.status)).toEqual(done.map(() => 'applied'))
    const applied = await Promise.all(leads.map(({ id }) => leadNow(id)))
    expect(applied.map((lead) => lead['lead_source'])).toEqual(items.map((item) => item.lead_source))
  })
})
