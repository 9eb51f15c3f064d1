import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { put } from '#shared/platform/bucket/bucket.ts'
import { now } from '#shared/platform/clock.ts'
import { uploadKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { LANE_BYTES, windowRows } from '#shared/uploads/rules/lanes.ts'
import { getWhole } from '#shared/uploads/upload-store.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { withAnswers } from '#test/support/table-sends.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { countsOf, csv, handed, ingested, reportLines, sent, timeForOne, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world, watch } = uploadWorld()

/** The bucket tells this size, so that a short file is divided. */
const sizeFor = (lanes: number): number => lanes * LANE_BYTES

const queued = async (): Promise<unknown[]> => (await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text))

/** The messages of the sweep, after the leases of dead runs have ended. */
const swept = async (): Promise<unknown[]> => {
  setClock(now() + 2 * MINUTE)
  await dispatchDue()
  await world().queues.take('CALL_QUEUE_URL')
  return queued()
}

/** Has an upload read to its end, with each message twice and all at the same time. */
const finished = async (id: string, remaining?: () => (() => number) | undefined) => {
  for (let rounds = 0; rounds < 100; rounds++) {
    const upload = await uploadNow(id)
    if (upload.status !== 'processing') return upload
    const messages = await queued()
    const all = messages.length > 0 ? messages : await swept()
    await Promise.all([...all, ...all].map((message) => handed([message], remaining?.())))
  }
  throw new Error('It is never done.')
}

/** Rows that create, change, repeat and spoil leads. Each lead has a phone of its own. */
const mixedRows = (prefix: string, count: number, people: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const person = index % people
    if (index % 41 === 7) return `${prefix}-${person},X,bad,,,`
    if (index % 97 === 11) return `${prefix},"two\nlines",,,`
    const phone = `+1212${prefix.length}${String(100_000 + person)}`
    return `${prefix}-${person},N${Math.floor(index / people) % 3},${phone},,NY,`
  })

const linesOf = (lines: readonly string[], prefix: string) => lines.join('\r\n').replaceAll(prefix, '')

describe('a file that is read in lanes', () => {
  it('a file that is read in lanes has the same counts and report as with one worker', async () => {
    const one = await ingested(csv(mixedRows('uno', 800, 500)))
    await queued()
    const { upload_id, message } = await sent(csv(mixedRows('six', 800, 500)), {}, sizeFor(3))
    await work([message])
    expect(await getWhole(upload_id, now())).toMatchObject({ upload: { plan: { lanes: 3, columns: ['Lead ID'], by: 'first' } } })
    const six = await finished(upload_id)
    expect(countsOf(six)).toEqual(countsOf(one))
    const [expected, found] = [await reportLines(one), await reportLines(six)]
    expect(linesOf(found, 'six')).toEqual(linesOf(expected, 'uno'))
    const { lanes } = (await getWhole(upload_id, now()))!
    expect(lanes.map(({ rows }) => rows).reduce((sum, rows) => sum + rows, 0)).toBe(800)
    for (const { rows } of lanes) expect(rows).toBeGreaterThan(100)
    process.stdout.write(`${JSON.stringify(countsOf(six))}, rows of the lanes: ${lanes.map(({ rows }) => rows)}\n`)
  })

  it('the report of a dry run in lanes is in the order of the file', async () => {
    const rows = mixedRows('dry', 1200, 1200)
    const { upload_id, message } = await sent(csv(rows), { dry_run: true }, sizeFor(3))
    await work([message])
    const upload = await finished(upload_id)
    const lines = (await reportLines(upload)).slice(1).map((line) => Number.parseInt(line, 10))
    expect(new Set(lines).size).toBe(1200)
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
  })

  it('the report of lanes is in the order of the file when it is assembled in several rounds', async () => {
    const { upload_id, message } = await sent(csv(['round-1,X,bad,,,', 'round-2,X,bad,,,']), {}, sizeFor(3))
    const [windows, pieces] = [40, 5]
    const first = Array.from({ length: windows }, (_, index) => 1 + (index + 1) * windowRows({ lanes: 3, columns: [], by: 'first' }))
    // The pieces of a window take turns with its rows.
    const pieceOf = (window: number, place: number) => {
      const key = `rejected/${OWNER}/${upload_id}/parts/${String(window + place).padStart(12, '0')}.csv`
      return put(key, [place, place + pieces].map((row) => `${window + row},a,b,c\r\n`).join(''), 'text/csv')
    }
    for (const window of first) await Promise.all(Array.from({ length: pieces }, (_, place) => pieceOf(window, place)))
    await work([message])
    const upload = await finished(upload_id, timeForOne)
    const lines = (await reportLines(upload)).slice(1).map((line) => Number.parseInt(line, 10))
    expect(lines).toEqual([2, 3, ...first.flatMap((window) => Array.from({ length: 2 * pieces }, (_, row) => window + row))])
    setClock(NOON)
  })

  it('each row counts once when runs die at random moments, lanes run at once, and all messages come twice', async () => {
    const rows = mixedRows('fire', 400, 250)
    const calm = countsOf(await ingested(csv(mixedRows('calm', 400, 250))))
    await queued()
    const { upload_id, message } = await sent(csv(rows), {}, sizeFor(8))
    let kills = 0
    let messages: unknown[] = [message, message]
    // The first writes note that the file has arrived. The sweep continues only what is noted.
    const moment = () => 10 + Math.floor(Math.random() * 140)
    while ((kills < 20 && (await uploadNow(upload_id)).status === 'processing') || kills === 0) {
      if (await watch().killed(moment(), () => work([...messages, ...messages], () => 60_000))) kills++
      messages = await swept()
    }
    const upload = await finished(upload_id)
    process.stdout.write(`${kills} kills: ${JSON.stringify(countsOf(upload))}\n`)
    expect(kills).toBeGreaterThan(2)
    expect(upload).toMatchObject({ status: 'done', error: null })
    expect(countsOf(upload)).toEqual(calm)
    setClock(NOON)
  })

  it('each lane of a file resumes where its run ended', async () => {
    const { upload_id, message } = await sent(csv(mixedRows('slow', 600, 600)), {}, sizeFor(2))
    await work([message])
    const upload = await finished(upload_id, timeForOne)
    expect(upload).toMatchObject({ status: 'done', rows: 600 })
    setClock(NOON)
  })

  it('an upload does not end while its lanes read, when a query sees it and not yet all of its lanes', async () => {
    const { upload_id, message } = await sent(csv(mixedRows('half', 600, 600)), {}, sizeFor(2))
    await work([message])
    const isOfUpload = ({ lane = 0, status }: { lane?: number; status?: string }) => lane === 0 && status !== undefined
    const withoutLanes = (of: (item: { lane?: number; status?: string }) => boolean, run: () => Promise<unknown>) =>
      withAnswers(async (command, send) => {
        const answer = (await send()) as { Items?: { lane?: number; status?: string }[] }
        return command instanceof QueryCommand && answer.Items?.some(isOfUpload) ? { ...answer, Items: answer.Items.filter(of) } : answer
      }, run)
    await withoutLanes(isOfUpload, () => handed([{ upload_id }]))
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', assembly: null, lease_token: 'lanes' })
    await queued()
    await withoutLanes(
      (item) => item.status !== 'processing' || item.lane !== 2,
      () => handed([{ upload_id, lane: 1 }]),
    )
    expect(await queued()).toEqual([])
    expect(await finished(upload_id)).toMatchObject({ status: 'done', rows: 600 })
    setClock(NOON)
  })

  it('an upload fails when one lane fails for good, and the other lanes end', async () => {
    const { upload_id, message } = await sent(csv(mixedRows('fail', 600, 600)), {}, sizeFor(2))
    await work([message])
    await updateItem(uploadKey(upload_id, 1), { UpdateExpression: 'SET tries = :many', ExpressionAttributeValues: { ':many': 40 } })
    await handed([{ upload_id, lane: 1 }])
    const upload = await finished(upload_id)
    expect(upload).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Row 1 and some of the later rows could not be processed/),
    })
    const { created, updated, unchanged, rejected } = countsOf(upload)
    expect(created + updated + unchanged + rejected).toBe(upload.rows)
    setClock(NOON)
  })
})
