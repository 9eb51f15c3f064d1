import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveSource } from '#shared/ingestion/source-store.ts'
import { put } from '#shared/platform/bucket/bucket.ts'
import { now } from '#shared/platform/clock.ts'
import { laneSlotsKey } from '#shared/platform/keys.ts'
import { client } from '#shared/platform/table/client.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { LANE_BYTES, MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import { getWhole, insertUpload } from '#shared/uploads/upload-store.ts'
import { setClock } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, csv, eventOf, handed, sent, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world } = uploadWorld()

const ROWS = 100
const rows = (prefix: string) => csv(Array.from({ length: ROWS }, (_, index) => `${prefix}-${index},N,${newPhone()},,NY,`))
const ALL_CREATED = { rows: ROWS, created: ROWS, reengaged: 0, updated: 0, unchanged: 0, rejected: 0 }

const queued = async (): Promise<unknown[]> => (await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text))

/** The messages of the sweep in two minutes. */
const swept = async (): Promise<unknown[]> => {
  setClock(now() + 2 * MINUTE)
  await dispatchDue()
  return queued()
}

/** Uploads a file that is divided into as many lanes as may be. @returns its id */
const divided = async (prefix: string): Promise<string> => {
  const { upload_id, message } = await sent(rows(prefix), {}, MOST_LANES * LANE_BYTES)
  await work([message])
  return upload_id
}

/** Uploads a file. The service takes note of it, and no message about it is left. @returns its id */
const arrived = async (body: string) => {
  const { upload_id, message } = await sent(body)
  await handed([message])
  await queued()
  return upload_id
}

/** Handles messages until the queue is empty. @returns how many there were */
const handledInTurn = async (): Promise<number> => {
  let handledSoFar = 0
  for (let messages = await queued(); messages.length > 0; messages = await queued()) {
    await handed(messages)
    handledSoFar += messages.length
  }
  return handledSoFar
}

/** Takes all slots of the owner for a minute. */
const fillSlots = () => {
  const slots = Array.from({ length: MOST_LANES }, (_, slot) => [`slot_${slot}`, now() + MINUTE])
  return putItem({ ...laneSlotsKey(OWNER), ...Object.fromEntries(slots) })
}

const lanesOf = async (id: string) => (await getWhole(id, now()))?.lanes ?? []

const finish = async (id: string) => {
  for (let rounds = 0; rounds < 50; rounds++) {
    const upload = await uploadNow(id)
    if (upload.status !== 'processing') return upload
    await handed(await swept())
    await handed(await queued())
  }
  throw new Error('It is never done.')
}

/** While `run` runs, no row is written. */
const withoutWrites = async <T>(run: () => Promise<T>, then: () => Promise<unknown>): Promise<T> => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') await end
        return next(args)
      },
    { step: 'initialize', name: 'testHold' },
  )
  const running = run()
  try {
    await then()
  } finally {
    resolve()
    client.middlewareStack.remove('testHold')
  }
  return running
}

describe('the lanes of one owner', () => {
  it('at most eight lanes of one owner are read at the same time, and the others are read later without a failed try', async () => {
    const ids = [await divided('one'), await divided('two')]
    const messages = await queued()
    const all = async () => (await Promise.all(ids.map(lanesOf))).flat()
    const isHandled = await withoutWrites(
      () => handed(messages),
      async () => {
        await eventually(async () => (await all()).filter(({ lease_until }) => lease_until > now()).length >= MOST_LANES)
        // The same messages again: no lane gets a second slot, and none of the others gets one.
        expect(await handed(messages)).toBe(true)
        const reading = (await all()).filter(({ lease_until }) => lease_until > now())
        expect(reading).toHaveLength(MOST_LANES)
        for (const lane of (await all()).filter(({ lease_until }) => lease_until === 0)) expect(lane.tries).toBe(0)
      },
    )
    expect(isHandled).toBe(true)
    for (const id of ids) {
      const upload = await finish(id)
      expect(upload).toMatchObject({ status: 'done', error: null })
      expect(countsOf(upload)).toEqual(ALL_CREATED)
    }
  })

  it('a file without lanes takes a slot too, and is read after a sweep', async () => {
    const { upload_id, message } = await sent(rows('small'))
    await fillSlots()
    expect(await work([message])).toBe(true)
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', tries: 0, rows: 0 })
    await queued()
    await handed(await swept())
    expect(countsOf(await uploadNow(upload_id))).toEqual(ALL_CREATED)
  })

  it('files without a slot cause few messages, and the end of a file that is read begins the next one', async () => {
    const files = Array.from({ length: 20 }, (_, file) => `waiting-${file}`)
    const ids: string[] = []
    for (const file of files) ids.push(await arrived(csv([`${file},N,${newPhone()},,NY,`])))
    setClock(now() + 2 * MINUTE)
    await fillSlots()
    await dispatchDue()
    expect(await handledInTurn()).toBeLessThanOrEqual(MOST_LANES)
    for (const id of ids) expect(await uploadNow(id)).toMatchObject({ tries: 0, rows: 0 })
    setClock(now() + 2 * MINUTE)
    await dispatchDue()
    expect(await handledInTurn()).toBe(ids.length)
    for (const id of ids) expect(await uploadNow(id)).toMatchObject({ status: 'done', rows: 1, created: 1 })
  })

  it('the lanes of another owner are read while one owner has no slot left', async () => {
    const id = await divided('full')
    const messages = await queued()
    await fillSlots()
    const other = { upload_id: '0b0e1f0c-0000-4000-8000-000000000001', owner: 2, source: 'theirs', filename: 'leads.csv' }
    const object_key = `uploads/2/theirs/${other.upload_id}/leads.csv`
    await saveSource({
      ...{ owner: 2, name: 'theirs', lead_type: null, mode: 'create', lookup_column: null },
      mapping: [{ to: 'phone_number', from: 'Phone' }],
    })
    await insertUpload({ ...other, object_key, created_time: now() }, now() + HOUR)
    const body = rows('theirs')
    await put(object_key, body, 'text/csv')
    await work([eventOf(object_key, MOST_LANES * LANE_BYTES)])
    const theirs = await queued()
    expect(await handed([...messages, ...theirs])).toBe(true)
    expect((await lanesOf(id)).map(({ rows: read, tries }) => read + tries)).toEqual(Array(MOST_LANES).fill(0))
    await handed(await queued())
    expect(countsOf(await uploadNow(other.upload_id))).toEqual(ALL_CREATED)
    expect(countsOf(await finish(id))).toEqual(ALL_CREATED)
  })
})
