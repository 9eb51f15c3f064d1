import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as retrieve } from '#functions/ingestion/retrieve-upload.ts'
import { handler as upload } from '#functions/ingestion/upload.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { saveSource } from '#shared/ingestion/source-store.ts'
import { put } from '#shared/platform/bucket/bucket.ts'
import { uploadKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { fileKeyOf } from '#shared/uploads/upload.ts'
import { getUpload } from '#shared/uploads/upload-store.ts'
import { send } from '#test/support/api-event.ts'
import { textOf } from '#test/support/bucket-engine.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { setClock } from '#test/support/clock.ts'
import { helped } from '#test/support/helped.ts'
import { suiteBucket, suiteTable } from '#test/support/suite-world.ts'

const NOW = Date.parse('2026-11-20T16:00:00Z')
const MISSING = '5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11'

captureLog()
suiteTable()
suiteBucket()
beforeAll(async () => {
  for (const id of [1, 2]) {
    await saveUser({
      id,
      name: `${id}`,
      is_staff: false,
      default_lead_type: 4,
      dnc_group: `${id}`,
      lines: 1,
      webhook_secrets: ['whsec_AAAA'],
    })
    await saveApiKey(`key-${id}`, { user: id, created_time: 0, revoked_time: null })
  }
  const mapping = [{ to: 'phone_number' as const, from: 'Phone' }]
  await saveSource({ owner: 1, name: 'demo', lead_type: 4, mode: 'upsert', lookup_column: 'Phone', mapping })
  setClock(NOW)
})

const as = (user: number) => ({ Authorization: `Token key-${user}` })
const ask = (body: unknown, user = 1) => send(upload, { path: '/api/ingestion/upload/', headers: as(user), body })
const show = (id: string, user = 1) =>
  send(retrieve, { method: 'GET', path: `/api/ingestion/uploads/${id}/`, params: { upload_id: id }, headers: as(user) })

const WAITING = {
  ...{ source: 'demo', filename: 'leads of today.csv', status: 'waiting', rows: 0 },
  ...{ created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: 0 },
  ...{ error: null, rejected_url: null, finished_time: null, rate: null },
}

/** The attributes that processing would write. */
const now = async (id: string, attributes: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(attributes)
  await updateItem(uploadKey(id), {
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, attributes[name]])),
  })
}

describe('an upload', () => {
  it('an upload gets a URL for a plain PUT of the file, and waits for it', async () => {
    const { status, json } = await ask({ source: 'demo', filename: 'leads of today.csv' })
    expect({ status, names: Object.keys(json) }).toEqual({ status: 200, names: ['signed_url', 'upload_id'] })
    const { signed_url, upload_id } = json
    expect(new URL(signed_url).searchParams.get('X-Amz-Expires')).toBe('3600')
    const sent = await fetch(signed_url, { method: 'PUT', body: Buffer.from('Phone\n+12125550001\n') })
    expect(sent.status).toBe(200)
    const kept = await getUpload(upload_id, NOW)
    expect(kept?.object_key).toBe(`uploads/1/demo/${upload_id}/leads of today.csv`)
    expect(await textOf(kept?.object_key ?? '')).toBe('Phone\n+12125550001\n')

    const shown = await show(upload_id)
    expect(shown).toMatchObject({ status: 200 })
    expect(shown.json).toEqual({ ...WAITING, upload_id, created_time: expect.stringMatching(/^2026-11-20T16:00:\d\d\.\d{6}\+00:00$/) })
  })

  it('an upload accepts a file name of 244 characters and shows it', async () => {
    const filename = `${'x'.repeat(240)}.csv`
    const { signed_url, upload_id } = (await ask({ source: 'demo', filename })).json
    expect((await fetch(signed_url, { method: 'PUT', body: 'Phone\n' })).status).toBe(200)
    expect((await show(upload_id)).json).toMatchObject({ filename })
  })

  it.each([
    ['leads.xlsx', '.xlsx'],
    ['leads.csv.zip', '.zip'],
    ['leads.JSON', '.json'],
  ])('an upload is refused with the reason for the file name %s', async (filename, ending) => {
    const reason = `Files ending in ${ending} are not read. The name of a CSV file ends in .csv, .tsv, .tab or .txt, or has no ending.`
    expect(await ask({ source: 'demo', filename })).toMatchObject({ status: 400, json: { filename: [reason] } })
  })

  it('each upload gets its own URL and id', async () => {
    const body = { source: 'demo', filename: 'leads.csv' }
    const [first, second] = [await ask(body), await ask(body)]
    expect(first.json.upload_id).not.toBe(second.json.upload_id)
    expect(new URL(first.json.signed_url).pathname).not.toBe(new URL(second.json.signed_url).pathname)
  })

  it('an upload shows its rate and row counts during and after processing', async () => {
    const { upload_id } = (await ask({ source: 'demo', filename: 'leads.csv' })).json
    const counts = { rows: 10_000, created: 1000, reengaged: 5, updated: 2000, unchanged: 6700, rejected: 300 }
    const asked = Date.now()
    setClock(NOW)
    await now(upload_id, { status: 'processing', started_time: NOW - 20_000, ...counts })
    const { json } = await show(upload_id)
    const seconds = (Date.now() - asked) / 1000 + 20
    expect(json).toMatchObject({ status: 'processing', ...counts, finished_time: null, rejected_url: null })
    expect(json.rate).toBeGreaterThanOrEqual(Math.floor(10_000 / seconds))
    expect(json.rate).toBeLessThanOrEqual(500)

    const rejected_key = `rejected/1/${upload_id}/rejected.csv`
    await put(rejected_key, 'line,column,value,message\n', 'text/csv')
    await now(upload_id, { status: 'done', finished_time: NOW + 5_000, rejected_key })
    const done = (await show(upload_id)).json
    expect(done).toMatchObject({ status: 'done', ...counts, finished_time: '2026-11-20T16:00:05.000000+00:00', rate: 400 })
    const file = await fetch(done.rejected_url)
    expect(await file.text()).toBe('line,column,value,message\n')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="leads-rejected.csv"')
  })

  it('an upload is a dry run when asked, and says so in each response', async () => {
    const { status, json } = await ask({ source: 'demo', filename: 'leads.csv', dry_run: true })
    expect({ status, json }).toEqual({
      status: 200,
      json: { signed_url: expect.any(String), upload_id: expect.any(String), dry_run: true },
    })
    const { upload_id, signed_url } = json
    await fetch(signed_url, { method: 'PUT', body: 'Phone\n' })
    const kept = await getUpload(upload_id, NOW)
    expect(await textOf(kept ? fileKeyOf(kept) : '')).toBe('Phone\n')
    const { filename, ...waiting } = {
      ...WAITING,
      upload_id,
      dry_run: true,
      report_url: null,
      preview: { callable_now: 0, by_hour: [], later: 0, skipped: [] },
    }
    expect((await show(upload_id)).json).toEqual({ ...waiting, filename: 'leads.csv', created_time: expect.any(String) })
    const rejected_key = `rejected/1/${upload_id}/rejected.csv`
    await put(rejected_key, 'line,result,lead,column,value,message\n', 'text/csv')
    await now(upload_id, { status: 'done', finished_time: NOW, rejected_key })
    const done = (await show(upload_id)).json
    expect(done).toMatchObject({ dry_run: true, rejected_url: null })
    expect((await fetch(done.report_url)).headers.get('content-disposition')).toBe('attachment; filename="leads-dry-run.csv"')
  })

  it.each([[false], ['no']])('an upload is no dry run when the request has dry_run %j', async (dry_run) => {
    const { json } = await ask({ source: 'demo', filename: 'leads.csv', dry_run })
    expect(Object.keys(json)).toEqual(['signed_url', 'upload_id'])
    expect(Object.keys((await show(json.upload_id)).json)).not.toContain('dry_run')
  })

  it('a failed upload shows why it failed', async () => {
    const { upload_id } = (await ask({ source: 'demo', filename: 'leads.csv' })).json
    await now(upload_id, { status: 'failed', finished_time: NOW, error: 'The file is empty.' })
    expect((await show(upload_id)).json).toMatchObject({ status: 'failed', error: 'The file is empty.', rows: 0, rate: null })
    await now(upload_id, { remark: 'Another one came.' })
    expect((await show(upload_id)).json).toMatchObject({ error: 'The file is empty. Another one came.' })
  })

  it('an upload and its source are visible only to their owner', async () => {
    const { upload_id } = (await ask({ source: 'demo', filename: 'leads.csv' })).json
    const missing = { status: 404, json: { detail: 'Not found.' } }
    expect(await show(upload_id, 2)).toMatchObject(missing)
    expect(await show(MISSING)).toMatchObject(missing)
    expect(await show('not-a-uuid')).toMatchObject(missing)
    expect(await ask({ source: 'demo', filename: 'leads.csv' }, 2)).toMatchObject({
      status: 400,
      json: { source: [helped('Object with name=demo does not exist. …')] },
    })
  })

  it('an upload is forgotten after 90 days', async () => {
    const { upload_id } = (await ask({ source: 'demo', filename: 'leads.csv' })).json
    setClock(NOW + 90 * 86_400_000 - 60_000)
    expect((await show(upload_id)).status).toBe(200)
    setClock(NOW + 90 * 86_400_000 + 60_000)
    expect((await show(upload_id)).status).toBe(404)
    setClock(NOW)
  })
})
