import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { put } from '#shared/platform/bucket/bucket.ts'
import { now } from '#shared/platform/clock.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { readPositionList } from '#shared/positions/position-list.ts'
import { countPositions } from '#shared/positions/rules/pages.ts'
import { setClock } from '#test/support/clock.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { asked, countsOf, csv, eventOf, reportLines, sent, timeForOne, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world, watch } = uploadWorld()

/** The sweep's messages, after the lease of the dead worker has ended. */
const sweptMessages = async () => {
  setClock(now() + 2 * MINUTE)
  await dispatchDue()
  await world().queues.take('CALL_QUEUE_URL')
  return (await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text))
}

/** Has it read to its end, by whatever messages there are and those of the sweep, each of them twice. */
const finished = async (upload_id: string, remaining?: () => number) => {
  for (let rounds = 0; rounds < 60; rounds++) {
    const upload = await uploadNow(upload_id)
    if (upload.status !== 'processing') return upload
    const messages = await sweptMessages()
    await work([...messages, ...messages], remaining)
  }
  throw new Error('It is never done.')
}

const stateOf = async (prefix: string, count: number) => {
  const ids = await Promise.all(Array.from({ length: count }, (_, index) => leadsByExternalId(OWNER, `${prefix}-${index}`)))
  const leads = await Promise.all(ids.flat().map(getLead))
  return leads.map((lead) => {
    const { external_id, metadata, us_state, email, call_dnc } = lead!
    return [external_id, metadata['first_name'], us_state, email, call_dnc].join(' ').replaceAll(prefix, '')
  })
}

/** Leads that are made, changed, changed back, left alone and rejected, some of them on one phone. */
const smallFile = (prefix: string): string => {
  const phones = Array.from({ length: 4 }, newPhone)
  return csv([
    `${prefix}-0,A,${phones[0]},${prefix}a@example.com,NY,`,
    `${prefix}-1,B,${phones[1]},,CA,`,
    `${prefix}-1,B,${phones[1]},,TX,`,
    `${prefix}-1,B,${phones[1]},,CA,`,
    `${prefix}-1,B,${phones[1]},,CA,`,
    `${prefix}-2,C,bad,,CA,`,
    `${prefix}-3,D,${phones[0]},${prefix}b@example.com,NY,true`,
    `${prefix}-0,A,${phones[2]},${prefix}a@example.com,NY,`,
    `${prefix}-4,E,${phones[0]},${prefix}b@example.com,NY,`,
    `${prefix}-1,F,,,,yes`,
  ])
}
const SMALL = { rows: 10, created: 3, reengaged: 0, updated: 4, unchanged: 1, rejected: 2 }

describe('a run that dies', () => {
  it('a run that dies before any of its writes is finished by another run, with the same counts and leads', async () => {
    const undisturbed = await sent(smallFile('calm'))
    await work([undisturbed.message])
    const calm = await uploadNow(undisturbed.upload_id)
    expect(countsOf(calm)).toEqual(SMALL)
    const expected = { leads: await stateOf('calm', 5), rejected: (await reportLines(calm)).length }
    for (let effect = 1; ; effect++) {
      const prefix = `kill${effect}`
      const { upload_id, message } = await sent(smallFile(prefix))
      const died = await watch().killed(effect, () => work([message]))
      if (effect === 1) await work([message])
      const upload = await finished(upload_id)
      const found = { counts: countsOf(upload), leads: await stateOf(prefix, 5), rejected: (await reportLines(upload)).length }
      expect({ effect, ...found }).toEqual({ effect, counts: SMALL, ...expected })
      if (!died) {
        process.stdout.write(`killed before each of ${effect - 1} writes\n`)
        expect(effect).toBeGreaterThan(20)
        break
      }
    }
    setClock(NOON)
  })

  it.each([
    {
      what: 'lacked a phone that a later row has',
      prefix: 'blank',
      rows: (prefix: string, phone: string) => [`${prefix}-0,A,,,,`, `${prefix}-0,A,${phone},,NY,`],
      counts: { rows: 2, created: 1, reengaged: 0, updated: 0, unchanged: 0, rejected: 1 },
    },
    {
      what: 'had an email that is taken, before a later row updated the lead',
      prefix: 'taken',
      rows: (prefix: string, phone: string) => [
        ...[`${prefix}-0,A,${phone},${prefix}x@example.com,,`, `${prefix}-1,B,${phone},,,`],
        ...[`${prefix}-1,B,${phone},${prefix}x@example.com,,`, `${prefix}-1,C,${phone},,,`],
      ],
      counts: { rows: 4, created: 2, reengaged: 0, updated: 1, unchanged: 0, rejected: 1 },
    },
  ])('a run that dies before any of its writes still has the row rejected that $what', async ({ prefix, rows, counts }) => {
    for (let effect = 1, died = true; died; effect++) {
      const { upload_id, message } = await sent(csv(rows(`${prefix}${effect}`, newPhone())))
      died = await watch().killed(effect, () => work([message]))
      if (effect === 1) await work([message])
      const upload = await finished(upload_id)
      expect({ effect, counts: countsOf(upload), rejected: await reportLines(upload) }).toEqual({
        ...{ effect, counts },
        rejected: [expect.any(String), expect.any(String)],
      })
    }
    setClock(NOON)
  })

  it('runs that die at 20 random moments, with repeated and concurrent messages, count each row once', async () => {
    const rows = Array.from({ length: 700 }, (_, index) => {
      const person = index % 450
      if (index % 50 === 7) return `many-${person},X,bad,,,`
      return `many-${person},N${index % 3},+1${[212, 415, 312][person % 3]}7${String(person).padStart(2, '0').slice(-2)}${String(1000 + person)},,${index < 450 ? 'NY' : 'CA'},`
    })
    const before = countPositions(await readPositionList(OWNER))
    const { upload_id, message } = await sent(csv(rows))
    let kills = 0
    let messages: unknown[] = [message, message]
    while (kills < 20 && (await uploadNow(upload_id)).status !== 'done') {
      if (await watch().killed(1 + Math.floor(Math.random() * 150), () => work(messages))) kills++
      messages = await sweptMessages()
      messages = [...messages, ...messages, message]
    }
    process.stdout.write(`${kills} kills\n`)
    const upload = await finished(upload_id)
    const bad = rows.filter((row) => row.includes(',bad,')).length
    const firsts = new Set(rows.slice(0, 450).flatMap((row) => (row.includes(',bad,') ? [] : [row.split(',')[0]])))
    const later = rows.slice(450).filter((row) => !row.includes(',bad,'))
    const updated = later.filter((row) => firsts.has(row.split(',')[0])).length
    const created = firsts.size + later.length - updated
    expect(countsOf(upload)).toEqual({ rows: 700, created, reengaged: 0, updated, unchanged: 0, rejected: bad })
    expect(await reportLines(upload)).toHaveLength(bad + 1)
    expect(countPositions(await readPositionList(OWNER))).toBe(before + created)
    setClock(NOON)
  })
})

describe('an upload', () => {
  it('an upload that takes longer than one run is resumed where the run ended', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => `long-${index},L,${index % 10 === 0 ? 'bad' : `+1646${7_000_000 + index}`},,,`)
    const { upload_id, message } = await sent(csv(rows))
    await work([message], timeForOne())
    expect(countsOf(await uploadNow(upload_id))).toMatchObject({ rows: 250, created: 225, rejected: 25 })
    // One when its object was heard of, and one to go on.
    const messages = (await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text))
    expect(messages).toEqual([{ upload_id }, { upload_id }])
    await work([{ upload_id }], timeForOne())
    const upload = await finished(upload_id)
    expect(countsOf(upload)).toMatchObject({ rows: 600, created: 540, rejected: 60 })
    expect((await reportLines(upload)).map((line) => line.split(',')[0])).toEqual([
      'line',
      ...Array.from({ length: 60 }, (_, index) => `${index * 10 + 2}`),
    ])
  })

  it('an upload that gets several messages at once is imported once', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `two-${index},T,+1646${8_000_000 + index},,,`)
    const { upload_id, message } = await sent(csv(rows))
    expect(await work([message, message, { upload_id }, message])).toBe(true)
    expect(countsOf(await uploadNow(upload_id))).toMatchObject({ rows: 40, created: 40 })
  })

  it('an upload waits for half a day for a file that is sent slowly, and finds it although its notification is lost', async () => {
    const { upload_id, file_key } = await asked()
    const start = now()
    for (const hours of [1.1, 11.9]) {
      setClock(start + hours * HOUR)
      await dispatchDue()
      expect(await uploadNow(upload_id)).toMatchObject({ status: 'waiting', error: null })
    }
    await put(file_key, csv([`slow-1,L,${newPhone()},,,`]), 'text/csv')
    setClock(start + 16 * HOUR)
    await dispatchDue()
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing' })
    setClock(NOON)
  })

  it('an upload without a file fails half a day after its URL expired, and is read if the file comes later', async () => {
    const { upload_id, file_key } = await asked()
    setClock(now() + 13.1 * HOUR)
    await dispatchDue()
    expect(await uploadNow(upload_id)).toMatchObject({
      status: 'failed',
      error:
        'No file has arrived. The URL for it expired an hour after it was made, and half a day has passed since. Request a new URL and send the file again.',
    })
    const file = csv([`late-1,L,${newPhone()},,,`])
    await put(file_key, file, 'text/csv')
    await work([eventOf(file_key, file.length)])
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'done', error: null, rows: 1, created: 1 })
    setClock(NOON)
  })

  it('an upload with a lost notification is found in the bucket and read once', async () => {
    const { upload_id, message } = await sent(csv([`lost-1,L,${newPhone()},,,`]))
    setClock(now() + 61 * MINUTE)
    await dispatchDue()
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'processing', error: null })
    const messages = (await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text))
    expect(messages).toContainEqual({ upload_id })
    await work([{ upload_id }])
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'done', error: null, rows: 1, created: 1 })
    const { object } = await uploadNow(upload_id)
    const [{ s3 }] = message.Records as [(typeof message.Records)[number]]
    await work([{ Records: [{ ...message.Records[0], s3: { ...s3, object: { ...s3.object, eTag: object?.etag } } }] }])
    expect(await uploadNow(upload_id)).toMatchObject({ status: 'done', error: null, remark: null, rows: 1, created: 1 })
    setClock(NOON)
  })
})
