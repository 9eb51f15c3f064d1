import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { now } from '#shared/platform/clock.ts'
import { uploadKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { readPositionList } from '#shared/positions/position-list.ts'
import { countPositions } from '#shared/positions/rules/pages.ts'
import { setClock } from '#test/support/clock.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, csv, handed, ingested, reportLines, sent, timeForOne, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world, watch } = uploadWorld(
  {},
  { name: 'by-phone', lookup_column: 'Phone' },
  { name: 'by-email', lookup_column: 'Email' },
  { name: 'updates', mode: 'update' },
  { name: 'creates', mode: 'create', lookup_column: null },
  { name: 'merges', lead_type: 71 },
  { name: 'merges-creates', lead_type: 71, mode: 'create', lookup_column: null },
  { name: 'refuses', lead_type: 72 },
)
beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: 71, owner: OWNER, second_open_lead: 'merge' }))
  await saveLeadType(sampleLeadType({ id: 72, owner: OWNER, second_open_lead: 'refuse' }))
})
const SOURCES = ['demo', 'by-phone', 'by-email', 'updates', 'creates', 'merges', 'merges-creates', 'refuses']
afterEach(async () => {
  setClock(NOON)
  await world().queues.take('CALL_QUEUE_URL')
  await world().queues.take('INGESTION_QUEUE_URL')
})

const HEADER = 'line,result,lead,column,value,message'
const dryRun = (rows: readonly string[], source = 'demo') => ingested(csv(rows), { source, dry_run: true })
const results = async (upload: Parameters<typeof reportLines>[0]) => (await reportLines(upload)).slice(1).map((line) => line.split(',')[1])

describe('a dry run', () => {
  it('a dry run tells the result of each row', async () => {
    const known = await created({ external_id: 'd-1', us_state: 'NY' })
    const { phone_number } = known
    const rows = [
      `d-1,Ann,${phone_number},,NY,`,
      `d-1,Ann,${phone_number},,NY,`,
      `d-2,Bob,${newPhone()},,,`,
      'd-3,Eve,12,,ZZ,',
      'd-4,too,few',
    ]
    const upload = await dryRun(rows)
    expect(upload).toMatchObject({ status: 'done', dry_run: true, rows: 5, created: 1, updated: 1, unchanged: 1, rejected: 2 })
    expect(await reportLines(upload)).toEqual([
      HEADER,
      `2,updated,${known.id},,,`,
      `3,unchanged,${known.id},,,`,
      '4,created,,,,',
      expect.stringMatching(/^5,rejected,,Phone,12,"The phone number entered is not valid\. /),
      expect.stringMatching(/^5,rejected,,State,ZZ,"""ZZ"" is not a valid choice\. /),
      '6,rejected,,,"d-4,too,few","Expected 6 cells, as in the header, but got 3."',
    ])
  })

  it('a dry run writes nothing but the upload and its report, and calls nobody', async () => {
    const lost = await created({ email: 'lost@example.com', status: 'LOST' })
    await world().queues.take('CALL_QUEUE_URL')
    setClock(NOON + 31 * DAY)
    const before = countPositions(await readPositionList(OWNER))
    const phone = newPhone()
    const rows = [
      `w-1,A,${phone},,NY,yes`,
      `w-1,B,${phone},,CA,`,
      `w-2,C,${lost.phone_number},lost@example.com,,`,
      `,D,${phone},x@example.com,,`,
    ]
    for (const source of SOURCES) {
      expect(await watch().kindsWritten(() => dryRun(rows, source))).toEqual(new Set(['UPLOAD']))
    }
    expect(countPositions(await readPositionList(OWNER))).toBe(before)
    expect((await getPerson(OWNER, phone)).leads).toEqual([])
    expect(await world().queues.take('CALL_QUEUE_URL')).toEqual([])
  })

  it('a dry run of a file whose header is refused says so, without a report', async () => {
    const upload = await ingested('a,b\n1,2\n', { dry_run: true })
    expect(upload).toMatchObject({ status: 'failed', error: expect.stringContaining('has none of the columns'), rejected_key: null })
  })

  it('a dry run of a file without rows has an empty report', async () => {
    expect(await reportLines(await dryRun([]))).toEqual([HEADER])
  })

  it('a dry run continues in another run, and is unharmed by a crash at any write', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `k-${index},K,${index % 10 === 0 ? 'bad' : newPhone()},,,`)
    for (const effect of [2, 3, 4, 5]) {
      const { upload_id, message } = await sent(csv(rows), { dry_run: true })
      await watch().killed(effect, () => work([message], timeForOne()))
      for (let runs = 0; runs < 5 && (await uploadNow(upload_id)).status === 'processing'; runs++) {
        setClock(now() + 2 * MINUTE)
        await dispatchDue()
        await work((await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text)))
      }
      const upload = await uploadNow(upload_id)
      expect(countsOf(upload)).toEqual({ rows: 300, created: 270, reengaged: 0, updated: 0, unchanged: 0, rejected: 30 })
      expect(await reportLines(upload)).toHaveLength(301)
    }
  })
})

/** A worker of a version without dry runs ignores their flag. The result is the same if the item does not have it. */
const loseFlag = async (upload_id: string): Promise<void> => {
  await updateItem(uploadKey(upload_id), { UpdateExpression: 'REMOVE dry_run' })
}

describe('a worker of a version without dry runs', () => {
  const phones = Array.from({ length: 300 }, newPhone)
  const body = csv(phones.map((phone, index) => `o-${index},Old,${phone},,,`))
  const leadsOf = async (phone = '') => (await getPerson(OWNER, phone)).leads

  it('a worker of a version without dry runs writes no lead when the file of a dry run arrives', async () => {
    const { upload_id, message } = await sent(body, { dry_run: true })
    await loseFlag(upload_id)
    await work([message])
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'waiting', rows: 0 })
    setClock(now() + 14 * HOUR)
    await dispatchDue()
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'failed', rows: 0 })
    expect(await leadsOf(phones[0])).toEqual([])
  })

  it.each([
    ['before its first row', 0, async (message: unknown) => handed([message])],
    ['after some of its rows', 250, async (message: unknown) => work([message], timeForOne())],
  ])('a worker of a version without dry runs writes no lead when it continues a dry run %s', async (_, rows, begin) => {
    const { upload_id, message } = await sent(body, { dry_run: true })
    await begin(message)
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', rows })
    await loseFlag(upload_id)
    await handed([{ upload_id }])
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'failed', rows })
    expect(await leadsOf(phones.at(-1))).toEqual([])
  })
})

describe('the rows of a dry run', () => {
  const phones = Array.from({ length: 4 }, newPhone)
  const maybe = (...values: readonly string[]) => fc.constantFrom('', ...values)
  const phoneOf: Readonly<Record<string, string | undefined>> = { 'p-1': phones[0], 'p-2': phones[0], 'p-3': phones[1] }
  // Each lead has emails of its own, and no row moves a lead from one phone number to another. If rows of different leads compete for one
  // phone number, the order in which they are handled decides, and that may differ.
  const row = fc
    .tuple(
      maybe('p-1', 'p-2', 'p-3'),
      maybe('Al', 'Bo'),
      maybe(...phones, 'bad'),
      maybe('a@example.com', 'b@example.com'),
      maybe('NY'),
      maybe('', '', 'yes'),
    )
    .map(([id, name, phone, email, ...rest]) => {
      const number = phones.includes(phone) ? (phoneOf[id] ?? phone) : phone
      const whose = id || number.replace('+', '')
      return [id, name, number, email && `${whose}-${email}`, ...rest].join(',')
    })
  const file = fc.record({
    source: fc.constantFrom(...SOURCES),
    rows: fc.array(row, { maxLength: 8 }),
  })

  it('the rows of a dry run have the results of the real run, even if they repeat a person', async () => {
    await fc.assert(
      fc.asyncProperty(file, async ({ source, rows }) => {
        const dry = await dryRun(rows, source)
        const told = (await reportLines(dry)).filter((line) => line.includes(',rejected,')).map((line) => line.split(',')[0])
        const real = await ingested(csv(rows), { source })
        expect(countsOf(dry)).toEqual(countsOf(real))
        expect(told).toEqual((await reportLines(real)).slice(1).map((line) => line.split(',')[0]))
      }),
      { numRuns: 100 },
    )
  })

  it('a dry run remembers earlier rows of the same run', async () => {
    const phone = newPhone()
    const others = Array.from({ length: 250 }, (_, index) => `m-${index},M,${newPhone()},,,`)
    expect(new Set((await results(await dryRun([`m-x,A,${phone},,,`, ...others, `m-x,A,${phone},,,`]))).slice(-1))).toEqual(
      new Set(['unchanged']),
    )
  })
})
