import { expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { uploadKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { LANE_BYTES } from '#shared/uploads/rules/lanes.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { aSource, countsOf, handed, ingested, sent, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world } = uploadWorld()

/** Saves the source `demo`. @param also further entries of its mapping */
const saveDemo = async ({ stop = 'Do Not Call', phone = 'Phone', also = [] as { to: 'metadata.note'; constant: string }[] } = {}) => {
  const columns = [
    { to: 'external_id' as const, from: 'Lead ID' },
    { to: 'phone_number' as const, from: phone },
    { to: 'call_dnc' as const, from: stop },
  ]
  await aSource({ mapping: [...columns, ...also] })
  forgetConfiguration()
}

const fileOf = (prefix: string, rows: number): string => {
  const lines = Array.from({ length: rows }, (_, row) => `${prefix}-${row},${newPhone()},yes`)
  return ['LEAD ID,PHONE,DO_NOT_CALL', ...lines].join('\r\n')
}

/** Has a file of three rows opened, in a run that has no time for the rows. @returns the id of the upload */
const opened = async (prefix: string, options: Parameters<typeof sent>[1] = {}): Promise<string> => {
  const { upload_id, message } = await sent(fileOf(prefix, 3), options)
  await work([message], () => 1_000)
  expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', rows: 0, dialect: { start: { row: 1 } } })
  return upload_id
}

const finished = async (upload_id: string) => {
  await work([{ upload_id }])
  const upload = await uploadNow(upload_id)
  expect(upload.status).toBe('done')
  return upload
}

const leadOf = async (externalId: string) => {
  const [id = 0] = await leadsByExternalId(OWNER, externalId)
  return getLead(id)
}

it('the stops in a file hold although the operator renames their column while the file is read', async () => {
  await saveDemo()
  const upload = await opened('a')
  await saveDemo({ stop: 'DO_NOT_CALL' })
  expect(countsOf(await finished(upload))).toMatchObject({ rows: 3, created: 3 })
  expect(await leadOf('a-2')).toMatchObject({ call_dnc: true, next_call_time: null })
})

it('no row is rejected although the operator renames the phone column of the source while the file is read', async () => {
  await saveDemo()
  const upload = await opened('b')
  await saveDemo({ phone: 'PHONE' })
  expect(countsOf(await finished(upload))).toMatchObject({ rows: 3, created: 3, rejected: 0 })
})

it('a changed mapping applies to files that begin later, and not to the rest of a file', async () => {
  await saveDemo()
  const upload = await opened('c')
  await saveDemo({ also: [{ to: 'metadata.note', constant: 'new' }] })
  await finished(upload)
  expect((await leadOf('c-2'))?.metadata).not.toHaveProperty('note')
  await ingested(fileOf('d', 1))
  expect((await leadOf('d-0'))?.metadata).toMatchObject({ note: 'new' })
})

it('all lanes of a file read the columns that the source named when the file began', async () => {
  await saveDemo()
  const { upload_id, message } = await sent(fileOf('e', 60), {}, 2 * LANE_BYTES)
  await world().queues.take('INGESTION_QUEUE_URL')
  await work([message])
  expect((await uploadNow(upload_id)).plan).toMatchObject({ lanes: 2 })
  await saveDemo({ stop: 'DO_NOT_CALL', phone: 'PHONE' })
  await handed([1, 2].map((lane) => ({ upload_id, lane })))
  expect(countsOf(await finished(upload_id))).toMatchObject({ rows: 60, created: 60, rejected: 0 })
  const leads = await Promise.all(Array.from({ length: 60 }, (_, row) => leadOf(`e-${row}`)))
  expect(leads.filter((lead) => lead?.call_dnc)).toHaveLength(60)
})

it('an upload that an earlier version began is read to its end by the source as it is', async () => {
  await saveDemo()
  const upload = await opened('f')
  await updateItem(uploadKey(upload), { UpdateExpression: 'REMOVE pinned' })
  await saveDemo({ also: [{ to: 'metadata.note', constant: 'new' }] })
  expect(countsOf(await finished(upload))).toMatchObject({ rows: 3, created: 3 })
  expect((await leadOf('f-2'))?.metadata).toMatchObject({ note: 'new' })
})

it('a file is read to its end by a source that is too large for the item of its upload', async () => {
  const values = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`${at} ${'x'.repeat(100)}`, `${at}`]))
  await aSource({
    name: 'large',
    mapping: [
      { to: 'external_id', from: 'Lead ID' },
      { to: 'phone_number', from: 'Phone' },
      { to: 'metadata.note', from: 'Note', values },
    ],
  })
  const upload = await opened('g', { source: 'large' })
  expect(await uploadNow(upload)).toMatchObject({ pinned: null })
  expect(countsOf(await finished(upload))).toMatchObject({ rows: 3, created: 3 })
})

it('an upload keeps no copy of its source once all rows are read', async () => {
  await saveDemo()
  expect(await ingested(fileOf('h', 1))).toMatchObject({ status: 'done', rows: 1, pinned: null })
})
