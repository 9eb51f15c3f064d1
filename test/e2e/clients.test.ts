import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import document from '#functions/docs/openapi.json' with { type: 'json' }
import { type Lead, LeadOutreachClient, type Operations, readWebhook } from '#lib/client/index.ts'
import { PROJECT } from '#test/support/guides.ts'
import { type HttpFileAnswer, sendHttpFile } from '#test/support/http-file.ts'
import { documented } from '#test/support/openapi/documented.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { type Service, startService, until } from '#test/support/service.ts'

type Query = NonNullable<Operations['GET /api/leads/']['query']>

let service: Service
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  // Night in New York: the leads of the tests are not called.
  service = await startService(['--memory', '--port', '0', '--now', '2026-11-20T05:00:00Z'])
})
afterAll(async () => {
  await service?.end()
  await receiver?.close()
})

describe('the file of requests', () => {
  const text = readFileSync(join(PROJECT, 'docs/reference/requests.http'), 'utf8')
  const operations = documented(document).filter(({ security }) => security === undefined || security === 'token')
  let answers: HttpFileAnswer[]
  beforeAll(async () => {
    answers = await sendHttpFile(text, {
      url: service.url,
      key: service.apiKey,
      ingestion_id: service.ingestId,
      hook_url: `${receiver.url}/hook`,
    })
  })

  it('the file of requests has one request for each operation, except those of voice agents', () => {
    expect(answers.map(({ name }) => name).toSorted()).toEqual(operations.map(({ operation }) => operation.operationId).toSorted())
  })

  it('each request of the file of requests succeeds, except that no call is in progress and the user is not staff', () => {
    const failed = answers.filter(({ status }) => status >= 300).map(({ name, status, answer }) => ({ name, status, answer }))
    expect(failed).toEqual([
      { name: 'callsLive', status: 404, answer: expect.stringContaining('detail') },
      { name: 'usersList', status: 403, answer: expect.stringContaining('permission') },
      { name: 'serviceState', status: 403, answer: expect.stringContaining('permission') },
    ])
  })

  it('the file of requests gets only answers that the API document describes', () => {
    const described = new Map(operations.map(({ operation }) => [operation.operationId, Object.keys(operation.responses)]))
    expect(answers.filter(({ name, status }) => !described.get(name)?.includes(`${status}`))).toEqual([])
  })
})

describe('the client', () => {
  const clientOf = (apiKey: string) => new LeadOutreachClient({ url: service.url, apiKey })

  it('the client creates, finds, explains and stops a lead', async () => {
    const client = clientOf(service.apiKey)
    const body = { phone_number: '(212) 555-0171', external_id: 'c-1', zip: '10001', frist_name: 'Ann' }
    const { status, data: lead, warnings } = await client.request('POST /api/leads/', { body })
    expect({ status, warnings }).toEqual({
      status: 201,
      warnings: [{ code: 'similar_field', field: 'metadata.frist_name', hint: 'first_name' }],
    })
    const found: Lead[] = []
    for await (const one of client.each('GET /api/leads/', { query: { external_id: 'c-1' } })) found.push(one)
    expect(found).toEqual([lead])
    const path = { id: lead.id }
    const { data: explanation } = await client.request('GET /api/leads/{id}/explain/', { path })
    expect(explanation.gates.filter(({ passed }) => !passed).map(({ gate }) => gate)).toContain('window')
    const { data: stopped } = await client.request('PATCH /api/leads/{id}/', { path, body: { status: 'CANCELLED' } })
    expect(stopped).toMatchObject({ status: 'CANCELLED', next_call_time: null })
  })

  it('the client creates nothing twice with the same idempotency key', async () => {
    const client = clientOf(service.apiKey)
    const request = { body: { phone_number: '(212) 555-0172' }, idempotencyKey: 'c-2' }
    const [first, second] = [await client.request('POST /api/leads/', request), await client.request('POST /api/leads/', request)]
    expect(second.data).toEqual(first.data)
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
  })

  it('the client reads all pages of a list', async () => {
    const client = clientOf(service.staffApiKey)
    const leads = Array.from({ length: 5 }, (_, index) => ({ phone_number: `(212) 555-018${index}` }))
    const { data } = await client.request('POST /api/leads/bulk-create/', { body: { leads } })
    const created = data.results.map(({ id }) => id).toSorted()
    const idsOf = async (query: Query) => {
      const ids: number[] = []
      for await (const { id } of client.each('GET /api/leads/', { query: { ...query, page_size: 2 } })) ids.push(id)
      return ids.toSorted()
    }
    expect(await idsOf({})).toEqual(created)
    // A list by change shows a lead a moment after its change.
    const byStatus = await until(
      () => idsOf({ status: ['NEW', 'OPEN'] }),
      (ids) => ids.length === created.length,
    )
    expect(byStatus).toEqual(created)
  })

  it('the client throws what the service says of a wrong field and of a wrong key', async () => {
    const wrong = clientOf(service.apiKey).request('POST /api/leads/', { body: { phone_number: '12' } })
    await expect(wrong).rejects.toMatchObject({
      status: 400,
      fields: { phone_number: [expect.any(String)] },
      requestId: expect.any(String),
    })
    const stranger = clientOf('lok_unknown').request('GET /api/users/me/')
    await expect(stranger).rejects.toMatchObject({ status: 401, detail: expect.any(String) })
  })

  it('the client verifies a webhook of the service', async () => {
    const client = clientOf(service.otherApiKey)
    const { data: secret } = await client.request('POST /api/users/me/rotate-webhook-secret/')
    const body = { url: `${receiver.url}/verified`, trigger: ['LEAD_CLOSED'] } as const
    const { data: subscription } = await client.request('POST /api/webhooks/', { body })
    await client.request('POST /api/webhooks/{id}/test/', { path: { id: subscription.id } })
    const request = await until(
      () => receiver.requests.find(({ path }) => path === '/verified'),
      (arrived) => arrived !== undefined,
    )
    const signed = { body: request!.body, headers: request!.headers }
    await expect(readWebhook({ ...signed, secrets: secret.webhook_secret })).resolves.toMatchObject({ trigger: 'LEAD_CLOSED', test: true })
    await expect(readWebhook({ ...signed, secrets: 'whsec_b3RoZXI=' })).rejects.toThrow('No signature matches a secret.')
  })
})
