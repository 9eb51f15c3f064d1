import { afterEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as v from 'valibot'
import { handler as retrieve } from '#functions/ingestion/retrieve-upload.ts'
import { handler as preview } from '#functions/lead-types/preview.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { components } from '#lib/openapi/schemas.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveSource } from '#shared/ingestion/source-store.ts'
import { now } from '#shared/platform/clock.ts'
import { uploadKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { LANE_BYTES } from '#shared/uploads/rules/lanes.ts'
import { setClock } from '#test/support/clock.ts'
import { created, listed, newPhone } from '#test/support/lead-requests.ts'
import { listLitigator } from '#test/support/litigators.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { unitsOf } from '#test/support/units.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { aSource, csv, handed, ingested, sent, timeForOne, work } from '#test/support/uploads.ts'
import { KEY, OWNER, request } from '#test/support/world.ts'

const { world, watch } = uploadWorld()
afterEach(async () => {
  setClock(NOON)
  await world().queues.take('CALL_QUEUE_URL')
  await world().queues.take('INGESTION_QUEUE_URL')
})

/** An upload as the API shows it. */
const shown = async (upload_id: string) => {
  const { status, body } = await request(retrieve, {
    method: 'GET',
    path: `/api/ingestion/uploads/${upload_id}/`,
    parameters: { upload_id },
    headers: { Authorization: `Token ${KEY}` },
  })
  expect(status).toBe(200)
  expect(v.safeParse(components.Upload, body).issues).toBeUndefined()
  return body
}

const dryRun = async (rows: readonly string[], source = 'demo') => {
  const { upload_id } = await ingested(csv(rows), { source, dry_run: true })
  return shown(upload_id)
}

const hour = (time: string) => `2026-11-${time}:00:00.000000+00:00`

/** It is 11:00 in New York and 06:00 in Hawaii, where calls start at 08:00. */
const row = (id: string, { phone = newPhone(), state = 'NY', dnc = '' } = {}) => `${id},Ann,${phone},,${state},${dnc}`

const queued = async (): Promise<unknown[]> => (await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text))

/** Has an upload read to its end, also after crashes. */
const finished = async (upload_id: string, remaining?: () => () => number) => {
  for (let runs = 0; runs < 60; runs++) {
    const upload = await shown(upload_id)
    if (upload.status !== 'processing') return upload
    let messages = await queued()
    if (messages.length === 0) {
      setClock(now() + 2 * MINUTE)
      await dispatchDue()
      messages = await queued()
    }
    for (const message of messages) await handed([message], remaining?.())
  }
  throw new Error('It is never done.')
}

describe('the preview of a dry run', () => {
  it('a dry run counts its rows by the hour in which they could be called, and by the check that refuses them', async () => {
    const [stopped, litigator] = [newPhone(), newPhone()]
    await listed({ phone_number: stopped })
    await listLitigator(litigator)
    const lost = await created({ external_id: 'p-lost', status: 'LOST', us_state: 'NY' })
    const same = await created({ external_id: 'p-same', us_state: 'NY', first_name: 'Ann' })
    const later = new Date(NOON + 3 * DAY).toISOString()
    const open = await created({ external_id: 'p-open', us_state: 'NY', call_schedule_start_time: later })
    const upload = await dryRun([
      row('p-1'),
      row('p-2'),
      row('p-3', { state: 'HI' }),
      row('p-4', { state: 'HI' }),
      row('p-5', { dnc: 'yes' }),
      row('p-6', { phone: stopped }),
      row('p-7', { phone: litigator }),
      row('p-8', { phone: '12' }),
      row('p-lost', { phone: lost.phone_number }),
      row('p-same', { phone: same.phone_number }),
      row('p-open', { phone: open.phone_number }),
    ])
    expect(upload).toMatchObject({ status: 'done', rows: 11, created: 7, updated: 2, unchanged: 1, rejected: 1 })
    expect(upload.preview).toEqual({
      callable_now: 2,
      by_hour: [
        { hour: hour('20T18'), leads: 2 },
        { hour: hour('23T16'), leads: 1 },
      ],
      later: 0,
      skipped: [
        { gate: 'status', leads: 1 },
        { gate: 'dnc', leads: 2 },
        { gate: 'litigator', leads: 1 },
      ],
    })
  })

  it('a stop in a row of a dry run also counts for later rows of this phone', async () => {
    const phone = newPhone()
    const { preview } = await dryRun([row('s-1', { phone, dnc: 'yes' }), row('s-2', { phone })])
    expect(preview).toMatchObject({ callable_now: 0, skipped: [{ gate: 'dnc', leads: 2 }] })
  })

  it('only a dry run has a preview', async () => {
    const { upload_id } = await ingested(csv([row('r-1')]))
    expect(await shown(upload_id)).not.toHaveProperty('preview')
    expect((await dryRun([])).preview).toEqual({ callable_now: 0, by_hour: [], later: 0, skipped: [] })
  })

  it('a dry run of which an older version counted some rows has no preview, instead of a wrong one', async () => {
    const { upload_id } = await ingested(csv([row('o-1'), row('o-2')]), { dry_run: true })
    const preview = { callable_now: 1, by_hour: [], later: 0, skipped: [] }
    await updateItem(uploadKey(upload_id), { UpdateExpression: 'SET preview = :part', ExpressionAttributeValues: { ':part': preview } })
    expect(await shown(upload_id)).toMatchObject({ status: 'done', created: 2, preview: null })
    await updateItem(uploadKey(upload_id), { UpdateExpression: 'REMOVE preview' })
    expect(await shown(upload_id)).toMatchObject({ status: 'done', created: 2, preview: null })
  })
})

describe('the preview of a large dry run', () => {
  const rows = (prefix: string) =>
    Array.from({ length: 700 }, (_, index) =>
      row(`${prefix}-${index}`, { state: ['NY', 'HI'][index % 2]!, dnc: index % 7 === 0 ? 'yes' : '' }),
    )
  const expected = {
    callable_now: 300,
    by_hour: [{ hour: hour('20T18'), leads: 300 }],
    later: 0,
    skipped: [{ gate: 'dnc', leads: 100 }],
  }

  it('the preview of a dry run adds up over the parts of a large file', async () => {
    const { upload_id, message } = await sent(csv(rows('l')), { dry_run: true })
    await work([message], timeForOne())
    // A slow machine may not even finish the first part in its time.
    expect((await shown(upload_id)).rows).toBeLessThanOrEqual(250)
    const { status, preview } = await finished(upload_id, timeForOne)
    expect({ status, preview }).toEqual({ status: 'done', preview: expected })
  })

  it('the preview of a dry run counts each row once, whatever write a crash prevents', async () => {
    const body = csv(rows('k'))
    for (const effect of [2, 3, 4, 5, 6, 7]) {
      const { upload_id, message } = await sent(body, { dry_run: true })
      expect(await watch().killed(effect, () => work([message]))).toBe(true)
      expect((await finished(upload_id)).preview).toEqual(expected)
      setClock(NOON)
    }
  })

  it('the preview of a dry run is the sum of its lanes', async () => {
    const { upload_id, message } = await sent(csv(rows('n')), { dry_run: true }, 3 * LANE_BYTES)
    await work([message])
    await queued()
    await handed([{ upload_id, lane: 1 }])
    const begun = await shown(upload_id)
    expect(begun.status).toBe('processing')
    expect(begun.preview.callable_now).toBeGreaterThan(0)
    expect((await finished(upload_id)).preview).toEqual(expected)
  })
})

describe('a preview and the real upload', () => {
  let made = 200
  const newType = async () => {
    await saveLeadType(sampleLeadType({ id: ++made, owner: OWNER }))
    await aSource({ name: `type-${made}`, lead_type: made })
    return made
  }
  const states = ['NY', 'CA', 'HI', 'AZ', 'TX', 'PR', 'GU', '']
  const people = fc.array(fc.record({ state: fc.constantFrom(...states), dnc: fc.constantFrom('', '', 'yes') }), { maxLength: 12 })
  const hours = fc.integer({ min: 0, max: 7 * 24 * 4 })

  it('the preview of a dry run is the preview of the leads that the real upload makes', async () => {
    await fc.assert(
      fc.asyncProperty(people, hours, async (leads, quarters) => {
        const type = await newType()
        setClock(NOON + (quarters * HOUR) / 4)
        const rows = leads.map((lead, index) => row(`t-${type}-${index}`, lead))
        const dry = await dryRun(rows, `type-${type}`)
        await ingested(csv(rows), { source: `type-${type}` })
        const { body } = await request(preview, {
          method: 'GET',
          path: `/api/lead-types/${type}/preview/`,
          parameters: { id: `${type}` },
          headers: { Authorization: `Token ${KEY}` },
        })
        const { lead_type, leads: all, looked_at, ...real } = body
        expect(dry.preview).toEqual(real)
        expect(all).toBe(leads.length)
      }),
      { numRuns: 40 },
    )
  })

  it('the preview of a dry run costs half a read unit for each row, and a few for each batch', async () => {
    const source = await aSource({ name: 'units' })
    await saveSource({
      owner: OWNER,
      name: source,
      lead_type: null,
      mode: 'create',
      lookup_column: null,
      mapping: [{ to: 'phone_number', from: 'Phone' }],
    })
    const file = () => csv(Array.from({ length: 250 }, () => row('')))
    await ingested(file(), { source, dry_run: true })
    const dry = await unitsOf(() => ingested(file(), { source, dry_run: true }))
    process.stdout.write(`a dry run of 250 rows: ${dry.read} read units, ${dry.write} write units\n`)
    // A row reads its person and its phone: a unit each. The preview adds half a unit for the list of litigators.
    expect(dry.read).toBeLessThan(250 * 2.5 + 30)
  })
})
