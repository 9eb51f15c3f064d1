import { afterEach, describe, expect, it } from '@jest/globals'
import { deleteSource } from '#shared/ingestion/source-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { helped } from '#test/support/helped.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { aSource, type countsOf, csv, eventOf, handed, ingested, reportLines, sent, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world, bucket, watch } = uploadWorld()
afterEach(async () => {
  await world().queues.take('CALL_QUEUE_URL')
  await world().queues.take('INGESTION_QUEUE_URL')
})

const leadOf = async (externalId: string) => {
  const [id, ...others] = await leadsByExternalId(OWNER, externalId)
  expect(others).toEqual([])
  return id === undefined ? undefined : getLead(id)
}
const done = (counts: Partial<ReturnType<typeof countsOf>>) => ({
  ...{ status: 'done', error: null, rows: 0, created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: 0 },
  ...counts,
})

describe('a file of a source that upserts', () => {
  const phones = Array.from({ length: 6 }, newPhone)
  const rows = [
    `u-1,Ann,${phones[0]},ann@example.com,NY,`,
    `u-2,"Bob ""B""\nOf two lines",${phones[1]},,CA,`,
    `u-3,=cmd(),12,not an email,ZZ,`,
    `,Nobody,${phones[2]},,NY,`,
    `u-1,Anna,${phones[0]},ann@example.com,NY,`,
    `u-1,Anna,${phones[0]},,,false`,
    'too,few',
    `u-5,Eve,${phones[3]},,TX,yes`,
    `u-6,Una,${phones[0]},ann@example.com,NY,`,
  ]
  const REJECTED = [
    'line,column,value,message',
    helped('5,Phone,12,"The phone number entered is not valid. …"'),
    '5,Email,not an email,Enter a valid email address. An example is ann@example.com.',
    helped('5,State,ZZ,"""ZZ"" is not a valid choice. …"'),
    '6,Lead ID,,This field may not be blank.',
    '9,,"too,few","Expected 6 cells, as in the header, but got 2."',
    helped('11,,,"The fields email, phone_number, company must make a unique set. …"'),
  ]

  it('a file of a source that upserts creates and updates leads, and reports the rejected rows', async () => {
    const upload = await ingested(csv(rows))
    expect(upload).toMatchObject(done({ rows: 9, created: 3, updated: 1, unchanged: 1, rejected: 4 }))
    expect(upload).toMatchObject({ started_time: expect.any(Number), finished_time: expect.any(Number), lease_token: null })
    expect(await reportLines(upload)).toEqual(REJECTED)
    expect(await leadOf('u-1')).toMatchObject({ phone_number: phones[0], metadata: { first_name: 'Anna' }, lead_type: 4, us_state: 'NY' })
    expect(await leadOf('u-2')).toMatchObject({ metadata: { first_name: 'Bob "B"\nOf two lines' }, email: null })
    expect(await leadOf('u-5')).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await leadOf('u-6')).toBeUndefined()
  })

  it('a file of a source that upserts writes no leads and calls nobody when it is sent again', async () => {
    const kinds = await watch().kindsWritten(async () => {
      const upload = await ingested(csv([rows[1]!, rows[2]!, rows[3]!, rows[5]!, rows[6]!, rows[7]!, rows[8]!]))
      expect(upload).toMatchObject(done({ rows: 7, unchanged: 3, rejected: 4 }))
    })
    expect(kinds).toEqual(new Set(['UPLOAD']))
    expect(await world().queues.take('CALL_QUEUE_URL')).toEqual([])
  })

  it('a file may name a state instead of its code, and changes nothing when the code comes next', async () => {
    const row = (id: string, state: string) => `${id},Ann,${id === 'n-1' ? phones[4] : phones[5]},,${state},`
    expect(await ingested(csv([row('n-1', 'New York'), row('n-2', 'd.c.')]))).toMatchObject(done({ rows: 2, created: 2 }))
    expect(await leadOf('n-1')).toMatchObject({ us_state: 'NY' })
    expect(await leadOf('n-2')).toMatchObject({ us_state: 'DC' })
    expect(await ingested(csv([row('n-1', 'NY'), row('n-2', 'District of Columbia')]))).toMatchObject(done({ rows: 2, unchanged: 2 }))
  })

  it('a file needs few reads for rows that change nothing', async () => {
    const file = csv(Array.from({ length: 50 }, (_, index) => `few-${index},A,+1415555${1000 + index},few-${index}@example.com,CA,`))
    expect(await ingested(file)).toMatchObject(done({ rows: 50, created: 50 }))
    expect(await watch().readsOf(() => ingested(file))).toEqual({ 'QueryCommand EXT': 50, 'BatchGetCommand LEAD': 1 })
  })
})

describe('a file of a source that updates', () => {
  it('a file of a source that updates changes existing leads, and creates none', async () => {
    await aSource({ name: 'updates', mode: 'update', lookup_column: 'Email' })
    const lead = await created({ email: 'Up@example.com' })
    const twice = { email: 'twice@example.com' }
    await created(twice)
    await created(twice)
    const upload = await ingested(csv(['up-1,Up,,UP@example.com,NY,', 'up-2,No,,none@example.com,,', 'up-3,Tw,,twice@example.com,,']), {
      source: 'updates',
    })
    expect(upload).toMatchObject(done({ rows: 3, updated: 1, rejected: 2 }))
    expect(await reportLines(upload)).toEqual([
      'line,column,value,message',
      '3,Email,none@example.com,There is no lead with this value to update.',
      '4,Email,twice@example.com,There are 2 leads with this value. The value must name one lead.',
    ])
    expect(await getLead(lead.id)).toMatchObject({ external_id: 'up-1', us_state: 'NY', metadata: { first_name: 'Up' } })
  })
})

describe('a notification of the bucket', () => {
  it('a notification of the bucket queues the upload under its owner, even when it is repeated, and reads no file', async () => {
    const { upload_id, message } = await sent(csv([`b-1,Bo,${newPhone()},,,`]))
    for (const times of [1, 2]) {
      const commands = await watch().commandsOf(() => handed([message]))
      const sends = commands.filter(({ name }) => name === 'SendMessageBatchCommand').map(({ input }) => input)
      expect({ times, sends }).toMatchObject({
        times,
        sends: [{ Entries: [{ MessageBody: JSON.stringify({ upload_id }), MessageGroupId: `${OWNER}` }] }],
      })
      expect(commands.map(({ name }) => name)).not.toContain('GetObjectCommand')
    }
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', rows: 0 })
    await handed([{ upload_id }])
    expect(await uploadNow(upload_id)).toMatchObject(done({ rows: 1, created: 1 }))
    await handed([message])
    expect(await world().queues.take('INGESTION_QUEUE_URL')).toHaveLength(2)
  })
})

describe('a run without time left', () => {
  it('a run without time left writes nothing and leaves its rows to the next run', async () => {
    const { upload_id, message } = await sent(csv([`t-1,Ti,${newPhone()},,,`, 't-2,Ti,bad,,,']))
    const commands = await watch().commandsOf(async () => expect(await work([message], () => 1_000)).toBe(true))
    expect(commands.filter(({ name }) => /^(TransactWrite|PutObject)/.test(name))).toEqual([])
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', rows: 0 })
    await work([{ upload_id }])
    expect(await uploadNow(upload_id)).toMatchObject(done({ rows: 2, created: 1, rejected: 1 }))
  })
})

describe('a file', () => {
  it.each([
    ['that is empty', '', 'The file is empty.'],
    ['without a column of the source', 'a,b\n1,2\n', 'has none of the columns that the source "demo" reads'],
  ])('a file %s fails with a clear message', async (_, body, error) => {
    expect(await ingested(body)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(error),
      rows: 0,
      finished_time: expect.any(Number),
    })
  })

  it('a file with only a header is done without rows', async () => {
    expect(await ingested(csv([]))).toMatchObject(done({ rejected_key: null } as object))
  })

  it('an upload fails when its source or its object is gone', async () => {
    await aSource({ name: 'short-lived' })
    const { upload_id, message } = await sent(csv(['g-1,A,,,,']), { source: 'short-lived' })
    await deleteSource(OWNER, 'short-lived')
    expect(await work([message])).toBe(true)
    expect(await uploadNow(upload_id)).toMatchObject({
      status: 'failed',
      error: 'The source "short-lived" does not exist any more. The operator sets up the sources.',
    })
    const other = await sent(csv(['g-1,A,,,,']))
    const { object_key } = await uploadNow(other.upload_id)
    await fetch(`${bucket().url}/uploads/${object_key}`, { method: 'DELETE' })
    expect(await work([other.message])).toBe(true)
    expect(await uploadNow(other.upload_id)).toMatchObject({
      status: 'failed',
      error: 'The file was deleted before all of it was read. Send it again.',
    })
  })

  it('a file that belongs to no upload is ignored', async () => {
    expect(await work([eventOf('uploads/1/demo/4f0c/x.csv', 3), { Event: 's3:TestEvent' }, { upload_id: 'x' }])).toBe(true)
  })
})

describe('a second file', () => {
  const REMARK = 'Several files were sent to the URL of this upload. Only one of them is read. Request a new URL to send another.'

  it.each([
    ['that was read', csv([`s-1,A,${newPhone()},,,`]), { status: 'done', rows: 1, error: null }],
    ['that failed', '', { status: 'failed', rows: 0, error: 'The file is empty.' }],
  ])('a second file for the URL of an upload %s is not read, and the upload says so', async (_, body, becomes) => {
    const { upload_id, message } = await sent(body)
    await work([message, message])
    expect(await uploadNow(upload_id)).toMatchObject({ ...becomes, remark: null })
    const { object_key, object } = await uploadNow(upload_id)
    await work([eventOf(object_key, 999, 'other', '2')])
    expect(await uploadNow(upload_id)).toMatchObject({ ...becomes, remark: REMARK, object })
  })

  it('a second file for the URL of an upload is reported even with the same content', async () => {
    const { upload_id, message } = await sent('')
    await work([message])
    const { object_key } = await uploadNow(upload_id)
    await work([eventOf(object_key, 0, 'tag', '2')])
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'failed', error: 'The file is empty.', remark: REMARK })
  })

  it('a second file that comes while the first one is read is reported even if the first one fails', async () => {
    await aSource({ name: 'passing' })
    const { upload_id, message } = await sent(csv([`s-2,A,${newPhone()},,,`]), { source: 'passing' })
    await handed([message])
    const { object_key } = await uploadNow(upload_id)
    await handed([eventOf(object_key, 999, 'other', '2')])
    await deleteSource(OWNER, 'passing')
    await handed([{ upload_id }])
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'failed', error: expect.stringContaining('passing'), remark: REMARK })
  })
})
