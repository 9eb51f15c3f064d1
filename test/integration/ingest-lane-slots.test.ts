import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { WORKER_CONCURRENCY } from '#lib/worker-concurrency.ts'
import { saveSource } from '#shared/ingestion/source-store.ts'
import { put } from '#shared/platform/bucket/bucket.ts'
import { now } from '#shared/platform/clock.ts'
import { laneSlotsKey, uploadDueKey, uploadKey, uploadShardKey } from '#shared/platform/keys.ts'
import { client } from '#shared/platform/table/client.ts'
import { putItem, updateItem } from '#shared/platform/table/table.ts'
import { HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { TRIES_FOR_SLOT } from '#shared/uploads/ingest/send-on.ts'
import { sweepUploads } from '#shared/uploads/ingest/sweep-uploads.ts'
import { LANE_BYTES, MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import { getWhole, insertUpload } from '#shared/uploads/upload-store.ts'
import { noteObject } from '#shared/uploads/upload-work-store.ts'
import { setClock } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, csv, eventOf, handed, sent, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world, watch } = uploadWorld()

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

  it('the lanes of one owner leave runs to other owners', () => {
    expect(WORKER_CONCURRENCY.ingestCsv).toBeGreaterThan(MOST_LANES)
  })

  it('a file without lanes takes a slot too, and is tried again soon after a sweep', async () => {
    const { upload_id, message } = await sent(rows('small'))
    await fillSlots()
    expect(await work([message])).toBe(true)
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', tries: 0, rows: 0 })
    await queued()
    const sentAfter = async (message: object) =>
      (await watch().commandsOf(() => handed([message]))).flatMap(({ name, input }) => (name === 'SendMessageBatchCommand' ? [input] : []))
    expect(await sentAfter({ upload_id })).toEqual([])
    const again = { MessageBody: JSON.stringify({ upload_id, tries: 1 }), DelaySeconds: 10 }
    expect(await sentAfter({ upload_id, tries: 2 })).toEqual([expect.objectContaining({ Entries: [expect.objectContaining(again)] })])
    await world().queues.renew('INGESTION_QUEUE_URL')
    expect(await swept()).toContainEqual({ upload_id, tries: TRIES_FOR_SLOT })
    await handed([{ upload_id }])
    expect(countsOf(await uploadNow(upload_id))).toEqual(ALL_CREATED)
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

describe('a sweep of uploads', () => {
  const shard = 0
  const due = async (owner: number) => {
    let upload_id = randomUUID()
    while (uploadDueKey(upload_id) !== uploadShardKey(shard)) upload_id = randomUUID()
    const of = { upload_id, owner, source: 'theirs', filename: 'leads.csv', object_key: `uploads/${owner}/theirs/${upload_id}/leads.csv` }
    await insertUpload({ ...of, created_time: now() }, now() + HOUR)
    await noteObject(await uploadNow(upload_id), { version: null, etag: null, sequencer: null, size: 1 }, now())
    setClock(now() + SECOND)
    return upload_id
  }

  it('a sweep of uploads lets owners take turns', async () => {
    for (let files = 0; files < 6; files++) await due(OWNER)
    const theirs = await due(2)
    setClock(now() + 2 * MINUTE)
    await sweepUploads(shard, 4)
    const found = await queued()
    expect(found).toHaveLength(4)
    expect(found).toContainEqual({ upload_id: theirs, tries: TRIES_FOR_SLOT })
    await sweepUploads(shard, 4)
    expect(await queued()).toHaveLength(3)
  })

  it('a sweep of uploads sends the others when one of them cannot be read, and fails then', async () => {
    const malformed = await due(OWNER)
    await updateItem(uploadKey(malformed), { UpdateExpression: 'SET created_time = :none', ExpressionAttributeValues: { ':none': 'none' } })
    const other = await due(OWNER)
    setClock(now() + 10 * MINUTE)
    await expect(sweepUploads(shard, 100)).rejects.toThrow('Expected number but received "none"')
    expect(await queued()).toContainEqual({ upload_id: other, tries: TRIES_FOR_SLOT })
  })
})
