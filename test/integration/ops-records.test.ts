import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { callFromItem } from '#shared/calling/call-store.ts'
import { callKeyOf, phoneKeyAt, registryVersionKey } from '#shared/platform/keys.ts'
import { getItem, putItem, updateItem } from '#shared/platform/table/table.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { switchRegistry } from '#shared/registries/registry-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { given, revoked } from '#test/support/consents.ts'
import { created, listed, newPhone, patched } from '#test/support/lead-requests.ts'
import { recordsWorld } from '#test/support/records.ts'
import { NOON } from '#test/support/samples.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { inCall, tell, tool, noon, today, records, recordsOfToday, folder, rowsOf, manifest } = recordsWorld()

/** The agent's clock, a second after the test's noon. */
const seconds = (): number => (noon() - NOON) / 1000 + 1

describe('the records of calls', () => {
  it('tell from and to which number a call was placed, when, how it ended, and to whom it was transferred', async () => {
    const { lead, call, phone } = await inCall()
    passTime(1000)
    await tell(call, 'call.answered', {}, seconds())
    await tell(call, 'call.transfer_initiated', { mode: 'warm', destination: '+12125559999' }, seconds())
    await tell(call, 'call.transfer_connected', {}, seconds())
    await tell(call, 'call.completed', { outcome: 'transferred_warm' }, seconds())
    await tell(call, 'call.ended', { duration_seconds: 61 }, seconds())
    expect(await recordsOfToday()).toMatchObject({ code: 0, out: expect.stringContaining('calls.csv.gz: 1 row,') })
    expect(await rowsOf('calls')).toEqual([
      expect.objectContaining({
        ...{ call_id: call, user: `${OWNER}`, direction: 'outbound', called_number: phone, lead: `${lead}`, attempt: '1' },
        ...{ placed_time: `${today()}T16:00:00.000Z`, duration_seconds: '61', transferred_to: '+12125559999', transfer_mode: 'warm' },
        ...{ status: 'COMPLETED', outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER', reported_outcome: 'transferred_warm', agent: 'simulator' },
      }),
    ])
    expect(await manifest()).toMatchObject({ from: today(), to: today(), open_calls: 0, unreadable_items: 0 })
  })

  it('list only the calls of the period, and count those that are not over', async () => {
    const { call } = await inCall()
    const item = await getItem(v.record(v.string(), v.unknown()), callKeyOf(call)!)
    const start = Date.parse(today())
    const others = [start - 1, start, start + DAY - 1, start + DAY]
    for (const [at, intent_time] of others.entries()) {
      const sk = `CALL#00001${at}`
      await putItem({ ...item, pk: `${item!['pk']}`, sk, call_id: `${callFromItem(item).lead}-1${at}`, attempt: 10 + at, intent_time })
    }
    expect((await recordsOfToday()).out).toContain('3 calls of the period are not over.')
    expect((await rowsOf('calls')).map(({ placed_time }) => placed_time)).toEqual([
      `${today()}T00:00:00.000Z`,
      `${today()}T16:00:00.000Z`,
      `${today()}T23:59:59.999Z`,
    ])
  })
})

describe('the records of stops and consents', () => {
  it('tell the number and the name of the person, and the words of a stop', async () => {
    const { call, phone } = await inCall({ first_name: 'Ann', last_name: 'Lee' })
    await created({ phone_number: phone, first_name: 'Stranger' }, OTHER_KEY)
    await given(phone, { proof_text: 'Yes, "call" me, please', time: new Date(NOON).toISOString() })
    await tell(call, 'dnc.requested', { channel: 'call', words: '=HYPERLINK("http://x")' })
    const unknown = newPhone()
    await listed({ phone_number: unknown })
    await recordsOfToday()
    expect(await rowsOf('consents')).toMatchObject([
      {
        phone_number: phone,
        name: 'Ann Lee',
        kind: 'given',
        type: 'written',
        proof_text: 'Yes, "call" me, please',
        received_by: `${OWNER}`,
      },
      { phone_number: phone, name: 'Ann Lee', kind: 'revoked', how: `'=HYPERLINK("http://x")`, source: 'call', channels: 'call' },
    ])
    const stops = await rowsOf('stops')
    expect(stops).toHaveLength(2)
    expect(stops).toContainEqual(
      expect.objectContaining({ phone_number: phone, name: 'Ann Lee', means: 'call', call_id: call, words: `'=HYPERLINK("http://x")` }),
    )
    const hash = Buffer.from((await phonePk('1', unknown)).slice('PHONE#1#'.length), 'base64url').toString('hex')
    expect(stops).toContainEqual(expect.objectContaining({ phone_number: '', phone_hash: hash, means: 'list', channels: 'call sms' }))
  })

  it('tell the number of a stop that was in a call before the period only, although the lead has another number by now', async () => {
    const { lead, call, phone } = await inCall()
    await tell(call, 'call.completed', { outcome: 'no_answer' }, seconds())
    await patched(lead, { phone_number: newPhone() })
    await updateItem(callKeyOf(call)!, {
      UpdateExpression: 'SET intent_time = :before',
      ExpressionAttributeValues: { ':before': Date.parse(today()) - 1 },
    })
    await listed({ phone_number: phone })
    await recordsOfToday()
    expect(await rowsOf('calls')).toEqual([])
    expect(await rowsOf('stops')).toMatchObject([{ phone_number: phone, means: 'list' }])
  })

  it('tell each stop once, with lifts, and stops that were received before stops had records', async () => {
    const { id, phone_number } = await created()
    await patched(id, { call_dnc: true })
    passTime(1)
    await patched(id, { call_dnc: false })
    passTime(1)
    await revoked(phone_number, { how: 'Stop. '.repeat(100), channels: ['call'] })
    passTime(1)
    await tool().ops(['dnc', 'lift', phone_number, '--owner', `${OWNER}`, '--reason', 'A mistake', '--yes'])
    passTime(1)
    await patched(id, { sms_dnc: true })
    passTime(1)
    const old = await created({ call_dnc: true })
    await updateItem(phoneKeyAt(await phonePk('1', old.phone_number)), { UpdateExpression: 'REMOVE stop_records' })
    await recordsOfToday()
    const stops = (await rowsOf('stops')).map(({ phone_number: number, action, means, channels }) => [number, action, means, channels])
    expect(stops).toEqual([
      [phone_number, 'stopped', 'api', 'call'],
      [phone_number, 'lifted', 'api', 'call'],
      [phone_number, 'stopped', 'revocation', 'call'],
      [phone_number, 'lifted', 'operator', 'call'],
      [phone_number, 'stopped', 'api', 'sms'],
      [old.phone_number, 'stopped', '', 'call'],
    ])
  })

  it('keep naming a person who is erased later, also after another run, and erase --everywhere lists the files of all runs', async () => {
    const { phone_number } = await created({ call_dnc: true })
    const keys: string[] = []
    for (let run = 0; run < 2; run++) {
      await recordsOfToday()
      keys.push(`${folder()}stops.csv.gz`)
    }
    const { out, code } = await tool().ops(['erase', phone_number, '--everywhere', '--yes'])
    const [first, second] = keys
    expect({ out, code }).toEqual({
      code: 0,
      out: expect.stringContaining(
        `Kept: 2 files of records with the number, which the law may demand for five years: ${first}, ${second}.`,
      ),
    })
    await recordsOfToday()
    const { record_files } = JSON.parse((await tool().ops(['export', phone_number, '--everywhere', '--json'])).out)
    expect(record_files).toEqual(keys)
  })

  it('erase warns of the days with calls and consents of the person of which no records are written', async () => {
    const { call, phone } = await inCall()
    await tell(call, 'call.completed', { outcome: 'no_answer' }, seconds())
    await records('2026-11-01', '2026-11-20')
    const day = today()
    setClock(noon() + DAY)
    await given(phone)
    const later = dayOf(noon() + DAY)
    const dryRun = async () => (await tool().ops(['erase', phone, '--dry-run'])).out
    expect(await dryRun()).toContain(
      `Warning: no files of records have all calls, consents and stops of ${day}, ${later}, which the law may demand`,
    )
    await records(day, day)
    expect(await dryRun()).toContain(`all calls, consents and stops of ${later}, which`)
    const { out } = await tool().ops(['erase', phone, '--yes', '--json'])
    expect(JSON.parse(out)).toMatchObject({ erased: true, unexported_days: [later] })
    expect((await tool().ops(['erase', phone, '--yes'])).out).not.toContain('Warning')
  })

  it('erase warns of the day of a stop of which no records are written: afterwards, no file tells who asked', async () => {
    const { phone_number } = await created({ call_dnc: true, first_name: 'Ann' })
    const { out } = await tool().ops(['erase', phone_number, '--dry-run'])
    expect(out).toContain(`Warning: no files of records have all calls, consents and stops of ${today()}`)
    await tool().ops(['erase', phone_number, '--yes'])
    expect((await tool().ops(['erase', phone_number, '--dry-run'])).out).not.toContain('Warning')
  })

  it('erase warns of a day whose records were written before a call of the person was over', async () => {
    const { call, phone } = await inCall()
    const day = today()
    setClock(noon() + DAY)
    await records(day, day)
    expect(await manifest()).toMatchObject({ open_calls: 1 })
    await tell(call, 'call.completed', { outcome: 'not_interested' }, seconds())
    await tell(call, 'call.ended', { duration_seconds: 61 }, seconds())
    const dryRun = async () => (await tool().ops(['erase', phone, '--dry-run'])).out
    expect(await dryRun()).toContain(`stops of ${day}, which`)
    await records(day, day)
    expect(await dryRun()).not.toContain('Warning')
  })

  it('do not name an erased person', async () => {
    const { phone_number } = await created({ call_dnc: true, first_name: 'Ann' })
    await tool().ops(['erase', phone_number, '--yes'])
    await recordsOfToday()
    const stops = await rowsOf('stops')
    expect(stops.length).toBeGreaterThan(0)
    expect(JSON.stringify(stops)).not.toContain(phone_number.slice(2))
    expect(JSON.stringify(stops)).not.toContain('Ann')
  })
})

describe('the records of registries', () => {
  it('tell which version of a list was imported when', async () => {
    await putItem({ ...registryVersionKey('national', 'v-1'), version: 'v-1', blocks: 1 })
    const list = {
      ...{ list: 'national', version: 'v-1', blocks: 1, numbers: 7, as_of: '2026-11-20', imported_time: noon() },
      ...{ area_codes: null, numbers_by_area_code: {}, is_complete: false },
    }
    expect(await switchRegistry(list, undefined)).toBe(true)
    expect(await switchRegistry({ ...list, numbers: 8, as_of: '2026-11-21', imported_time: list.imported_time + 1 }, list)).toBe(true)
    await recordsOfToday()
    expect(await rowsOf('registries')).toMatchObject([
      { list: 'national', as_of: '2026-11-20', numbers: '7', imported_time: `${today()}T16:00:00.000Z` },
      { list: 'national', as_of: '2026-11-21', numbers: '8' },
    ])
  })
})
