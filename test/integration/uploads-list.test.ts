import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { handler as list } from '#functions/ingestion/list-uploads.ts'
import { handler as retrieve } from '#functions/ingestion/retrieve-upload.ts'
import { uploadKey } from '#shared/platform/keys.ts'
import { putItem, updateItem } from '#shared/platform/table/table.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { HELD_BY_LANES } from '#shared/uploads/upload.ts'
import { insertUpload } from '#shared/uploads/upload-store.ts'
import { setClock } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteBucket, suiteWorld } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'
import { OTHER_KEY, request } from '#test/support/world.ts'

suiteWorld()
suiteBucket()

let lastOwner = 1000

/** Uploads of a new owner, the oldest first. Returns the owner's requests. */
const ownerWith = async (count: number) => {
  const [{ saveUser }, { saveApiKey }] = await Promise.all([
    import('#shared/accounts/user-store.ts'),
    import('#shared/accounts/api-key-store.ts'),
  ])
  const owner = ++lastOwner
  const user = { id: owner, name: `User ${owner}`, is_staff: false, default_lead_type: 4, dnc_group: `${owner}`, lines: 1 }
  await saveUser({ ...user, webhook_secrets: ['whsec_AAAA'] })
  await saveApiKey(`key-${owner}`, { user: owner, created_time: 0, revoked_time: null })
  const ids = Array.from({ length: count }, () => randomUUID())
  for (const [index, upload_id] of ids.entries()) {
    const created_time = NOON - (count - index) * MINUTE
    const object_key = `uploads/${owner}/demo/${upload_id}/leads.csv`
    await insertUpload({ upload_id, owner, source: 'demo', filename: 'leads.csv', object_key, created_time }, NOON + HOUR)
  }
  const headers = { Authorization: `Token key-${owner}` }
  const get = (query = '') => request(list, { method: 'GET', path: `/api/ingestion/uploads/${query}`, headers })
  const show = (id: string) =>
    request(retrieve, { method: 'GET', path: `/api/ingestion/uploads/${id}/`, parameters: { upload_id: id }, headers })
  // The list index lags behind the table.
  await eventually(async () => (await get()).body.count === count)
  return { owner, ids, get, show }
}

const idsIn = ({ results }: { results: { upload_id: string }[] }) => results.map(({ upload_id }) => upload_id)

describe('the list of uploads', () => {
  it('the list of uploads shows each upload as its own route does, the newest first', async () => {
    const { ids, get, show } = await ownerWith(3)
    await updateItem(uploadKey(ids[1]!), {
      UpdateExpression: 'SET #status = :done, #rows = :one, created = :one, finished_time = :at',
      ExpressionAttributeNames: { '#status': 'status', '#rows': 'rows' },
      ExpressionAttributeValues: { ':done': 'done', ':one': 1, ':at': NOON },
    })
    const { status, body } = await get()
    const shown = await Promise.all(ids.toReversed().map(async (id) => (await show(id)).body))
    expect({ status, body }).toEqual({ status: 200, body: { count: 3, next: null, previous: null, results: shown } })
    expect(body.results).toMatchObject([{ status: 'waiting' }, { status: 'done', created: 1 }, { status: 'waiting' }])
  })

  it('the list of uploads is empty for a user who has uploaded nothing, and shows only those of the caller', async () => {
    await ownerWith(1)
    const { status, body } = await request(list, {
      ...{ method: 'GET', path: '/api/ingestion/uploads/' },
      headers: { Authorization: `Token ${OTHER_KEY}` },
    })
    expect({ status, body }).toEqual({ status: 200, body: { count: 0, next: null, previous: null, results: [] } })
  })

  it('the list of uploads comes in pages that name each upload once', async () => {
    const { ids, get } = await ownerWith(5)
    const [first, second, last] = await Promise.all(['?page_size=2', '?page=2&page_size=2', '?page=last&page_size=2'].map(get))
    expect([first, second, last].flatMap((page) => idsIn(page!.body))).toEqual(ids.toReversed())
    expect(first!.body).toMatchObject({ count: 5, previous: null, next: expect.stringMatching(/\/uploads\/\?page=2&page_size=2$/) })
    expect(second!.body.previous).toMatch(/\/uploads\/\?page_size=2$/)
    expect(last!.body).toMatchObject({ next: null, previous: expect.stringMatching(/\?page=2&page_size=2$/) })
  })

  it.each(['?page=0', '?page=2', '?page=-1', '?page=x', '?page=1.5'])('the list of uploads answers 404 to %s', async (query) => {
    const { get } = await ownerWith(1)
    expect(await get(query)).toMatchObject({ status: 404, body: { detail: 'Invalid page.' } })
  })

  it('the list of uploads ignores a page size that is nonsense, and says so', async () => {
    const { get } = await ownerWith(1)
    const { status, body, headers } = await get('?page_size=x')
    expect({ status, count: body.count }).toEqual({ status: 200, count: 1 })
    expect(JSON.stringify(headers)).toContain('ignored_parameter')
  })

  it('the list of uploads needs a key', async () => {
    const asked = { method: 'GET', path: '/api/ingestion/uploads/' }
    expect(await request(list, { ...asked, headers: { Authorization: 'Token nobody' } })).toMatchObject({ status: 401 })
  })

  it('the list of uploads forgets an upload after 90 days, even while the table still holds it', async () => {
    const { ids, get } = await ownerWith(3)
    setClock(NOON + 90 * DAY - 2.5 * MINUTE)
    const { body } = await get()
    expect({ count: body.count, ids: idsIn(body) }).toEqual({ count: 2, ids: ids.slice(1).toReversed() })
  })

  it('the list of uploads adds up the counts of the lanes of a large file', async () => {
    const { owner, ids, get, show } = await ownerWith(1)
    const [upload_id = ''] = ids
    const common = { upload_id, owner, source: 'demo', filename: 'leads.csv', object_key: '', created_time: NOON, expires_at: 9e9 }
    for (const lane of [1, 2])
      await putItem({ ...uploadKey(upload_id, lane), ...common, lane, status: 'processing', rows: lane, created: lane })
    await updateItem(uploadKey(upload_id), {
      UpdateExpression: 'SET #status = :processing, lease_token = :lanes',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':processing': 'processing', ':lanes': HELD_BY_LANES },
    })
    const { body } = await get()
    expect(body).toMatchObject({ count: 1, results: [{ status: 'processing', rows: 3, created: 3 }] })
    expect(body.results).toEqual([(await show(upload_id)).body])
  })

  it('the list of uploads reads the items of its page only, and few units for the entries of the others', async () => {
    const [few, many] = [await ownerWith(10), await ownerWith(200)]
    const [ofFew, ofMany] = [await unitsOf(() => few.get('?page_size=10')), await unitsOf(() => many.get('?page_size=10'))]
    // Half a unit pays for 4 KB of entries: the 200 entries have less than 32 KB.
    expect(ofMany.read - ofFew.read).toBeLessThanOrEqual(4)
  })
})
