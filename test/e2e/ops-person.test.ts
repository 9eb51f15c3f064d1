import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TRIGGERS } from '#shared/platform/values/values.ts'
import { helped } from '#test/support/helped.ts'
import { localAgent } from '#test/support/local-agent.ts'
import { opsProcess } from '#test/support/ops-process.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { type Json, type Service, startService, until } from '#test/support/service.ts'

/** 11:00 on a Friday in New York. */
const NOW = '2026-11-20T16:00:00Z'

/** The simulated agent accepts calls to this number and reports nothing more. The test sends the reports. */
const NUMBER = '+12125550011'
const PERSON = { phone_number: NUMBER, email: 'ann@example.com', timezone: 'America/New_York' }
/** The number in any notation. */
const TRACE = /212\D{0,3}555\D{0,3}0011/

let directory: string
let service: Service
let receiver: Receiver
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ops-person-'))
  receiver = await startReceiver()
  service = await startService(['--data', directory, '--port', '0', '--now', NOW])
})
afterAll(async () => {
  await service?.end()
  await receiver?.close()
  await rm(directory, { recursive: true, force: true })
})

const ops = (...args: string[]) => opsProcess(directory, args)

const created = async (fields: Record<string, unknown>, status: number): Promise<Json> => {
  const answer = await fetch(`${service.url}/api/leads/`, {
    method: 'POST',
    headers: {
      authorization: `Token ${service.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': JSON.stringify(fields).slice(0, 200),
    },
    body: JSON.stringify(fields),
  })
  expect(answer.status).toBe(status)
  return (await answer.json()) as Json
}

const asked = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const answer = await service.call(method, path, body)
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

/** Now by the service's clock. */
const serviceTime = async (): Promise<string> => {
  const { environment } = JSON.parse(await readFile(service.operatorFile, 'utf8'))
  return new Date(Date.now() + Number(environment.CLOCK_OFFSET_MS)).toISOString()
}

/** Waits until the agent has dialled a call. */
const dialled = (call: string) =>
  until(
    async () => (await service.dials()).calls.some(({ key, dialled: isDialled }) => key === call && isDialled),
    (is) => is,
  )

/** Waits until the receiver has the call's CALL_COMPLETE event. */
const settled = async (lead: number, attempt: number) => {
  const done = await until(
    () => receiver.requests.filter(({ body }) => body.includes('"CALL_COMPLETE"') && body.includes(`"call_id":"${lead}-${attempt}"`)),
    ({ length }) => length > 0,
  )
  expect(done).not.toEqual([])
}

const FILE = [
  'Lead ID,First Name,Last Name,Phone,Email,State,Zip,Source',
  'B-1,Bob,Lee,(212) 555-0098,bob@example.com,ZZ,10001,web',
  'A-1,Ann,Lee,212.555.0011,ann@example.com,NY,10001,web',
  'A-2,Ann,Lee,1 (212) 555-0011,ann at example,NY,10001,web',
]

const sendFile = async () => {
  const { signed_url, upload_id } = await asked('POST', '/api/ingestion/upload/', { source: service.uploadSource, filename: 'leads.csv' })
  expect((await fetch(`${signed_url}`, { method: 'PUT', body: FILE.join('\r\n') })).status).toBe(200)
  const upload = await until(
    () => asked('GET', `/api/ingestion/uploads/${upload_id}/`),
    ({ status }) => status === 'done',
  )
  expect(upload).toMatchObject({ status: 'done', rejected: 2, rows: 3 })
  return upload_id
}

/** Every item of the table and every object of the bucket, as text. */
const dump = async (): Promise<string[]> => {
  const { environment } = JSON.parse(await readFile(service.operatorFile, 'utf8'))
  Object.assign(process.env, environment)
  const [{ scanTable }, { objectVersions }, { getPiece }] = await Promise.all([
    import('#shared/platform/table/scan.ts'),
    import('#shared/platform/bucket/bucket-versions.ts'),
    import('#shared/platform/bucket/bucket-pieces.ts'),
  ])
  const texts: string[] = []
  const plain = (_: string, value: unknown): unknown => {
    if (value instanceof Set) return [...value]
    return value instanceof Uint8Array ? gunzipSync(value).toString() : value
  }
  for await (const { items } of scanTable({ segments: 2 })) texts.push(...items.map((item) => JSON.stringify(item, plain)))
  for await (const page of objectVersions('')) {
    for (const { key } of page) texts.push(`${key}\n${await getPiece(key)}`)
  }
  return texts
}

const traces = async () => (await dump()).filter((text) => TRACE.test(text))

describe('a person', () => {
  it("the ops tool shows a person's timeline, exports the person, and erases everything except the stop", async () => {
    await asked('POST', '/api/webhooks/', { url: receiver.url, trigger: TRIGGERS })
    const other = await created(
      { phone_number: '+12125550099', email: 'eve@example.com', timezone: 'Pacific/Honolulu', partner: '(212) 555-0011', age: 40 },
      201,
    )
    const { id } = await created({ ...PERSON, status: 'CLOSED', external_id: 'A-1', note: 'x'.repeat(2000) }, 201)
    expect((await created({ ...PERSON, color: 'blue', min_reengagement_days: 0 }, 200)).id).toBe(id)
    const agent = localAgent(service, directory)

    for (const [attempt, outcome] of [
      [1, 'no_answer'],
      [2, 'voicemail'],
    ] as const) {
      expect(await dialled(`${id}-${attempt}`)).toBe(true)
      await agent.tell(`${id}-${attempt}`, 'call.ended', await serviceTime())
      await agent.tell(`${id}-${attempt}`, 'call.completed', await serviceTime(), { outcome })
      await settled(id, attempt)
      expect(await asked('POST', `/api/leads/${id}/schedule-call/`, {})).toMatchObject({ scheduled: true })
    }
    expect(await dialled(`${id}-3`)).toBe(true)
    expect(await ops('erase', NUMBER, '--yes')).toEqual({
      code: 1,
      out: '',
      err: `The person is on the phone, or was a moment ago (call ${id}-3). Wait until the call is over. Nothing was erased.\n`,
    })
    for (const [type, data] of [
      ['call.answered', {}],
      ['sms.completed', { direction: 'inbound', body: 'I am on my way.' }],
      ['call.transfer_initiated', { mode: 'warm', destination: '+12125550150' }],
      ['call.transfer_connected', {}],
      ['dnc.requested', { channel: 'call' }],
      ['call.ended', { duration_seconds: 90 }],
      ['call.completed', { outcome: 'transferred_warm', is_contact: true, summary: 'Was handed over.' }],
    ] as const) {
      expect((await agent.tell(`${id}-3`, type, await serviceTime(), data)).status).toBe(200)
    }
    await settled(id, 3)
    const upload = await sendFile()

    const { code, out } = await ops('lead', 'timeline', `${id}`, '--json')
    expect(code).toBe(0)
    const { entries } = JSON.parse(out) as { entries: { time: string; kind: string; text: string; id?: string }[] }
    expect(entries.map(({ time }) => time)).toEqual(entries.map(({ time }) => time).toSorted())
    const told = entries.map(({ kind, text }) => `${kind}: ${text}`)
    const inOrder = [
      'lead: created',
      'event: LEAD_CREATED, lead status CLOSED',
      'event: LEAD_CLOSED, lead status CLOSED',
      'event: LEAD_BEFORE_REENGAGEMENT, lead status CLOSED',
      'event: LEAD_REENGAGEMENT, lead status OPEN',
      `call: call 1: outbound, to ${NUMBER}, agent simulator`,
      'call: call 1: DIAL_NO_ANSWER, reported as no_answer',
      `call: call 2: outbound, to ${NUMBER}, agent simulator`,
      'call: call 2: WENT_TO_VOICEMAIL, reported as voicemail',
      `call: call 3: outbound, to ${NUMBER}, agent simulator`,
      'call: call 3: answered',
      'text: text message, inbound: I am on my way.',
      'call: call 3: transfer begun (warm to +12125550150)',
      'call: call 3: transferred',
      'call: call 3: asked not to be called again',
      'call: call 3: ended',
      'call: call 3: COMPLETED_CLOSED_LIVE_TRANSFER, reported as transferred_warm: Was handed over.',
      'event: LEAD_CLOSED, lead status CLOSED',
    ]
    expect(told.filter((text) => inOrder.includes(text))).toEqual(inOrder)

    const exported = JSON.parse((await ops('export', '(212) 555-0011', '--everywhere')).out)
    expect(exported).toMatchObject({
      leads: [{ id, email: 'ann@example.com' }],
      text_messages: [{ body: 'I am on my way.' }],
      stops: expect.arrayContaining([expect.objectContaining({ call_dnc: true })]),
      uploads: [
        {
          upload_id: upload,
          rows: [
            { line: 3, text: FILE[2] },
            { line: 4, text: FILE[3] },
          ],
        },
      ],
      mentioned_in: expect.arrayContaining([`LEAD#${other.id} LEAD`, expect.stringMatching(/^DELIVERY#/)]),
    })
    expect(exported.calls).toHaveLength(3)

    expect((await traces()).length).toBeGreaterThan(10)
    const dry = await ops('erase', NUMBER, '--dry-run')
    expect(dry).toMatchObject({ code: 0, out: expect.stringMatching(/^To be erased: .*3 calls.*1 uploaded file/s) })
    const erased = await ops('erase', NUMBER, '--yes', '--json', '--everywhere')
    expect(erased.code).toBe(0)
    expect(JSON.parse(erased.out)).toMatchObject({
      erased: true,
      lead_ids: [id],
      files: 1,
      kept_stops: [{ call_dnc: true, sms_dnc: false }],
      left: [],
    })
    expect(await traces()).toEqual([])

    expect((await service.call('GET', `/api/leads/${id}/`)).status).toBe(404)
    expect(await asked('GET', '/api/leads/')).toMatchObject({
      count: 1,
      results: [{ id: other.id, metadata: { partner: 'erased', age: 40 } }],
    })
    const rejected = await asked('GET', `/api/ingestion/uploads/${upload}/`)
    expect(await (await fetch(`${rejected['rejected_url']}`)).text()).toEqual(
      helped('line,column,value,message\r\n2,State,ZZ,"""ZZ"" is not a valid choice. …"\r\n'),
    )
    expect(await asked('GET', `/api/dnc/?phone_number=${encodeURIComponent(NUMBER)}`)).toMatchObject({ call_dnc: true })

    // A new lead with this number is not called.
    expect(await created({ ...PERSON, again: true }, 201)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('the ops tool refuses a person that it does not know', async () => {
    for (const name of ['999999999', 'ann']) {
      const err = `There is no lead ${name}. Name a lead by its id, phone number, email or external id.\n`
      expect(await ops('lead', 'timeline', name)).toEqual({ code: 1, out: '', err })
    }
    expect(await ops('erase', '12')).toEqual({
      code: 2,
      out: '',
      err: helped('"12" is not a phone number: The phone number entered is not valid. …\n'),
    })
  })
})
