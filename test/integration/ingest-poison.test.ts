import { ConditionalCheckFailedException, InternalServerError, ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { externalIdPointerKey, leadKey, uploadKey } from '#shared/platform/keys.ts'
import { putItem, updateItem } from '#shared/platform/table/table.ts'
import { helped } from '#test/support/helped.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { aSource, countsOf, csv, ingested, reportLines, sent, timeForOne, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { watch } = uploadWorld()

const NONE = { rows: 0, created: 0, reengaged: 0, updated: 0, unchanged: 0, rejected: 0 }
const IN_LOG = "could not be processed, for a reason that the operator finds in the service's log."
const newRows = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index},P,${newPhone()},,${index === 5 ? 'ZZ' : 'NY'},`)

/** Leads that no row can be handled of any more. */
const spoil = async (externalIds: readonly string[]) => {
  for (const id of (await Promise.all(externalIds.map((externalId) => leadsByExternalId(OWNER, externalId)))).flat()) {
    await updateItem(leadKey(id), {
      UpdateExpression: 'SET #status = :none',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':none': 5 },
    })
  }
}

/** A run whose time is up before it has handled a row. */
const timeForNone = () => 1_000

/** Notes that work on the same rows has begun so often. */
const tried = (upload_id: string, tries: number) =>
  updateItem(uploadKey(upload_id), { UpdateExpression: 'SET tries = :tries', ExpressionAttributeValues: { ':tries': tries } })

describe('a row that always fails', () => {
  it('a row that always fails is rejected alone after several tries of its batch, and the rows around it are handled', async () => {
    const rows = newRows('p', 12)
    await ingested(csv([rows[2]!, rows[8]!]))
    await spoil(['p-2', 'p-8'])
    const { upload_id, message } = await sent(csv(rows))
    expect(await work([message])).toBe(false)
    for (let tries = 1; tries < 6; tries++) expect(await work([{ upload_id }])).toBe(false)
    expect(countsOf(await uploadNow(upload_id))).toEqual(NONE)
    expect(await work([{ upload_id }])).toBe(true)
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', error: null, unhandled: 2 })
    expect(countsOf(upload)).toEqual({ ...NONE, rows: 12, created: 9, rejected: 3 })
    const told = (line: number) => `${line},,,"This row ${IN_LOG} The other rows are processed."`
    expect(await reportLines(upload)).toEqual([
      'line,column,value,message',
      told(4),
      helped('7,State,ZZ,"""ZZ"" is not a valid choice. …"'),
      told(10),
    ])
  })

  it.each([
    ['in the same run', () => 60_000],
    ['in the next one', timeForOne()],
  ])('rows after one that always fails count as created when they were handled before its rejection: %s', async (what, remaining) => {
    const source = await aSource({ name: 'creates', mode: 'create', lookup_column: null })
    const prefix = what.replaceAll(' ', '-')
    const { upload_id, message } = await sent(csv(newRows(prefix, 4)), { source })
    const fails = (name: string, input: unknown) =>
      name === 'TransactWriteCommand' && JSON.stringify(input).includes(`${prefix}-0`) ? new TypeError('A bug.') : undefined
    await watch().failing(fails, async () => {
      await work([message])
      for (let tries = 1; tries < 6; tries++) expect(await work([{ upload_id }])).toBe(false)
      expect(await leadsByExternalId(OWNER, `${prefix}-3`)).toHaveLength(1)
      expect(await work([{ upload_id }], remaining)).toBe(true)
      await work([{ upload_id }])
    })
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...NONE, rows: 4, created: 3, rejected: 1 })
  })

  it('a row that always fails is rejected only when its own batch has failed before', async () => {
    const rows = [...Array.from({ length: 250 }, (_, index) => `bad-${index},P,bad,,,`), ...newRows('last', 1)]
    const { upload_id, message } = await sent(csv(rows))
    await work([message], timeForNone)
    await tried(upload_id, 6)
    const fails = (name: string) => (name === 'TransactWriteCommand' ? new TypeError('A bug.') : undefined)
    await watch().failing(fails, async () => expect(await work([{ upload_id }])).toBe(false))
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', rows: 250, unhandled: 0 })
    expect(await work([{ upload_id }])).toBe(true)
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...NONE, rows: 251, created: 1, rejected: 250 })
  })

  it('a file fails once 20 rows cannot be handled, whatever the bug', async () => {
    const bugs = [
      new TypeError('A bug.'),
      new URIError('URI malformed'),
      Object.assign(new TypeError('Not a string.'), { code: 'ERR_INVALID_ARG_TYPE' }),
    ]
    let failed = 0
    const { upload_id, message } = await sent(csv(newRows('t', 30)))
    await watch().failing(
      (name) => (name === 'TransactWriteCommand' ? bugs[failed++ % bugs.length] : undefined),
      async () => {
        await work([message])
        for (let tries = 1; tries < 8; tries++) await work([{ upload_id }])
      },
    )
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({
      ...{ status: 'failed', rows: 21, rejected: 21, unhandled: 20 },
      error: `20 rows ${IN_LOG} Row 22 and later rows were not read.`,
    })
    expect(await reportLines(upload)).toHaveLength(22)
  })
})

describe('a row whose lookup value points to another lead', () => {
  it('a row whose lookup value points to another lead ignores the stale pointer', async () => {
    await ingested(csv(newRows('other', 1)))
    const [id = 0] = await leadsByExternalId(OWNER, 'other-0')
    await putItem({ ...externalIdPointerKey(OWNER, 'stale-0', id) })
    expect(countsOf(await ingested(csv(newRows('stale', 3))))).toEqual({ ...NONE, rows: 3, created: 3 })
  })
})

describe('a row that has been written', () => {
  it('a written row counts as created even if a later step keeps failing', async () => {
    const { upload_id, message } = await sent(csv(newRows('w', 3)))
    let isWritten = false
    const fails = (name: string, input: unknown) => {
      isWritten ||= name === 'TransactWriteCommand'
      return isWritten && name === 'BatchGetCommand' && JSON.stringify(input).includes('PHONE#') ? new TypeError('A bug.') : undefined
    }
    await watch().failing(fails, async () => {
      for (let tries = 0; tries < 6; tries++) expect(await work([tries === 0 ? message : { upload_id }])).toBe(false)
      expect(await work([{ upload_id }])).toBe(true)
    })
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', error: null, unhandled: 0 })
    expect(countsOf(upload)).toEqual({ ...NONE, rows: 3, created: 3 })
  })

  it('a written row counts as updated even if its stop cannot be shown on another lead of the phone', async () => {
    const phone = newPhone()
    const before = ['stop-0', 'stop-1'].map((id) => `${id},P,${phone},${id}@example.com,NY,`)
    expect(countsOf(await ingested(csv(before)))).toEqual({ ...NONE, rows: 2, created: 2 })
    await spoil(['stop-1'])
    const { upload_id, message } = await sent(csv([`stop-0,P,${phone},stop-0@example.com,NY,true`]))
    for (let tries = 0; tries < 6; tries++) expect(await work([tries === 0 ? message : { upload_id }])).toBe(false)
    expect(await work([{ upload_id }])).toBe(true)
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...NONE, rows: 1, updated: 1 })
    const [id = 0] = await leadsByExternalId(OWNER, 'stop-0')
    expect(await getLead(id)).toMatchObject({ call_dnc: true })
  })
})

describe('a row with a temporary failure', () => {
  const about = { message: 'Away.', $metadata: {} }
  it('a row is not rejected when the table is away, throttled or unreachable, and its message uses up no try', async () => {
    const errors = [
      new InternalServerError(about),
      new ProvisionedThroughputExceededException(about),
      Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
    ]
    const { upload_id, message } = await sent(csv(newRows('away', 8)))
    for (let tries = 0; tries < 9; tries++) {
      const fails = (name: string) => (name === 'TransactWriteCommand' ? errors[tries % errors.length] : undefined)
      await watch().failing(fails, async () => expect(await work([tries === 0 ? message : { upload_id }])).toBe(true))
    }
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', rejected: 0, unhandled: 0 })
    expect(await work([{ upload_id }])).toBe(true)
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...NONE, rows: 8, created: 7, rejected: 1 })
  })

  const away = (name: string) => (name === 'TransactWriteCommand' ? new InternalServerError(about) : undefined)
  const keepsFailing = async (rows: readonly string[]) => {
    const { upload_id, message } = await sent(csv(rows))
    await watch().failing(away, async () => {
      for (let tries = 0; tries < 33; tries++) expect(await work([tries === 0 ? message : { upload_id }])).toBe(true)
    })
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', rows: 0 })
    return upload_id
  }

  it('a row with a temporary failure does not fail the file, however often it fails', async () => {
    const upload_id = await keepsFailing(newRows('patient', 1))
    expect(await work([{ upload_id }])).toBe(true)
    const upload = await uploadNow(upload_id)
    expect(upload).toMatchObject({ status: 'done', tries: 0, passing: 0, failing_since: null })
    expect(countsOf(upload)).toEqual({ ...NONE, rows: 1, created: 1 })
  })

  it('a row with a temporary failure fails the file after a day', async () => {
    const upload_id = await keepsFailing(newRows('day', 1))
    await updateItem(uploadKey(upload_id), {
      UpdateExpression: 'ADD failing_since :day',
      ExpressionAttributeValues: { ':day': -24 * 3_600_000 },
    })
    expect(await work([{ upload_id }])).toBe(true)
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'failed', rows: 0, error: `Row 1 and later rows ${IN_LOG}` })
  })

  it('a row is not rejected when others keep writing its lead', async () => {
    const phone = newPhone()
    expect(countsOf(await ingested(csv([`busy-0,P,${phone},busy-0@example.com,NY,`])))).toEqual({ ...NONE, rows: 1, created: 1 })
    const { upload_id, message } = await sent(csv([`busy-1,P,${phone},busy-1@example.com,NY,true`]))
    const lost = new ConditionalCheckFailedException(about)
    const loses = (name: string, input: unknown) =>
      name === 'PutCommand' && JSON.stringify(input).includes('"pk":"LEAD#') ? lost : undefined
    await watch().failing(loses, async () => {
      expect(await work([message])).toBe(true)
      await tried(upload_id, 6)
      for (let tries = 0; tries < 2; tries++) expect(await work([{ upload_id }])).toBe(true)
    })
    expect(await work([{ upload_id }])).toBe(true)
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...NONE, rows: 1, created: 1 })
  })

  it('a row is not rejected when runs end before they handle it', async () => {
    const { upload_id, message } = await sent(csv(newRows('race', 8)))
    await work([message], () => 1_000)
    for (let tries = 1; tries < 9; tries++) expect(await work([{ upload_id }], () => 1_000)).toBe(true)
    expect(await work([{ upload_id }])).toBe(true)
    expect(countsOf(await uploadNow(upload_id))).toEqual({ ...NONE, rows: 8, created: 7, rejected: 1 })
  })
})
