import { beforeEach, describe, expect, it } from '@jest/globals'
import { CONSENT_TYPES } from '#shared/consents/consent.ts'
import { getConsentState } from '#shared/consents/consent-store.ts'
import { noConsent } from '#shared/consents/rules/current-consent.ts'
import { consentStateKey } from '#shared/platform/keys.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { consentsOf, giveConsent, given, revokeConsent, revoked } from '#test/support/consents.ts'
import { created, leadNow, newPhone, phoneOf, times } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { actingFor, STAFF, STAFF_KEY, saveStaff } from '#test/support/staff.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { KEY, OTHER_KEY, OWNER } from '#test/support/world.ts'

const { queued, place, world } = callWorld()
beforeEach(() => setClock(NOON))

const HALF_HOUR_AGO = '2026-11-20T15:30:00.000000+00:00'
const AT_NOON = '2026-11-20T16:00:00.000000+00:00'
const REQUIRED = ['This field is required.']

describe('POST /api/consents/', () => {
  it('POST /api/consents/ records what was sent, and a consent that is sent again makes no second record', async () => {
    const phone = newPhone()
    const proof = { proof_text: 'I agree.', proof_url: 'https://example.com/17', source: 'Web form' }
    const asked = { type: 'written_seller', seller: 'Solar Inc', ...proof }
    const record = {
      ...{ phone_number: phone, sequence: 1, kind: 'given', time: HALF_HOUR_AGO, received_time: AT_NOON, received_by: OWNER },
      ...{ ...asked, lead: null, how: null, channels: [] },
    }
    expect(await giveConsent(`(${phone.slice(2, 5)}) ${phone.slice(5)}`, asked)).toMatchObject({ status: 201, body: record })
    setClock(NOON + 60_000)
    expect(await giveConsent(phone, asked)).toMatchObject({ status: 200, body: record })
    expect(await consentsOf(phone)).toEqual({ count: 1, next: null, previous: null, results: [record] })
  })

  it.each([
    [{ type: undefined }, { type: REQUIRED }],
    [{ time: undefined }, { time: REQUIRED }],
    [{ type: 'spoken' }, { type: [expect.stringContaining('"spoken" is not a valid choice.')] }],
    [{ type: 'written_seller' }, { seller: REQUIRED }],
    [{ type: 'written_seller', seller: ' ' }, { seller: REQUIRED }],
    [{ time: 'yesterday' }, { time: [expect.stringContaining('Datetime has wrong format.')] }],
    [{ time: '2026-11-20T16:05:01Z' }, { time: [expect.stringContaining('This time is in the future.')] }],
    [{ time: '1066-10-14T00:00:00Z' }, { time: [expect.stringContaining('This time is before 1991')] }],
    [{ proof_url: 'http://example.com/17' }, { proof_url: [expect.stringContaining('It must begin with https://')] }],
    [{ proof_url: 'https://ann:secret@example.com/' }, { proof_url: ['Enter a valid URL without credentials.'] }],
    [{ proof_url: 'https://exa mple.com/' }, { proof_url: [expect.stringContaining('Enter a valid URL.')] }],
    [{ proof_text: 'x'.repeat(2001) }, { proof_text: ['Ensure this field has no more than 2000 characters.'] }],
    [{ proof: 'x' }, { proof: [expect.stringContaining('Unknown field.')] }],
    [{ phone_number: '123' }, { phone_number: [expect.stringContaining('The phone number entered is not valid.')] }],
    [{ lead: 99_999_999 }, { lead: [expect.stringContaining('Invalid pk')] }],
  ])('POST /api/consents/ refuses %j', async (changes, errors) => {
    const phone = newPhone()
    expect(await giveConsent(phone, changes)).toMatchObject({ status: 400, body: errors })
    expect(await consentsOf(phone)).toMatchObject({ count: 0 })
  })

  it('POST /api/consents/ takes a time that a clock five minutes ahead gives', async () => {
    expect(await giveConsent(newPhone(), { time: '2026-11-20T16:05:00Z' })).toMatchObject({ status: 201 })
  })

  it('POST /api/consents/ links an own lead with this number, and refuses any other', async () => {
    const lead = await created({ call_schedule_start_time: '2027-01-01T00:00:00Z' })
    expect(await given(lead.phone_number, { lead: lead.id })).toMatchObject({ lead: lead.id })
    const otherNumber = ['This lead has another phone number.']
    expect(await giveConsent(newPhone(), { lead: lead.id })).toMatchObject({ status: 400, body: { lead: otherNumber } })
    const unknown = { lead: [expect.stringContaining('Invalid pk')] }
    expect(await giveConsent(lead.phone_number, { lead: lead.id }, OTHER_KEY)).toMatchObject({ status: 400, body: unknown })
  })

  it('POST /api/consents/ names the member of staff who acted for the user', async () => {
    await saveStaff()
    const phone = newPhone()
    const answer = await giveConsent(phone, {}, STAFF_KEY, actingFor(OWNER))
    expect(answer).toMatchObject({ status: 201, body: { received_by: STAFF } })
    expect(await consentsOf(phone)).toMatchObject({ count: 1 })
  })

  it('a phone with 1,000 records takes no other consent, and a revocation only if there is a consent to revoke', async () => {
    const phone = newPhone()
    const state = { ...noConsent(OWNER, phone), given: { sequence: 1, type: 'oral', time: NOON }, last_sequence: 1000 }
    await putItem({ ...consentStateKey(OWNER, phone), ...state })
    const full = expect.stringContaining('has 1000 records of consent, which is the most.')
    expect(await giveConsent(phone)).toMatchObject({ status: 400, body: { phone_number: [full] } })
    expect(await revoked(phone, { channels: ['call'] })).toMatchObject({ sequence: 1001 })
    const stopped = expect.stringContaining('The phone number is stopped. This revocation was not recorded')
    expect(await revokeConsent(phone, { channels: ['sms'] })).toMatchObject({ status: 400, body: { phone_number: [stopped] } })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: true, sms_dnc: true })
    expect(await consentsOf(phone)).toMatchObject({ count: 1 })
  })

  it('a consent that changes nothing reads and marks no lead', async () => {
    const { phone_number } = await created()
    const requests = async (run: () => Promise<unknown>): Promise<number> => {
      let count = 0
      await beforeEachSend((command) => {
        if (/"pk":"(LEAD|PERSON|BREAKER|AGENT)#/.test(JSON.stringify(command))) count++
      }, run)
      return count
    }
    expect(await requests(() => given(phone_number))).toBeGreaterThan(0)
    expect(await requests(() => giveConsent(phone_number))).toBe(0)
    expect(await requests(() => given(phone_number, { type: 'oral' }))).toBe(0)
  })

  it('ten different consents at once make ten records', async () => {
    const phone = newPhone()
    await times(10, (index) => given(phone, { source: `Form ${index}` }))
    const { results } = await consentsOf(phone)
    expect(results.map(({ sequence }: { sequence: number }) => sequence)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })
})

describe('GET /api/consents/', () => {
  it('GET /api/consents/ pages through the records, the latest received first', async () => {
    const phone = newPhone()
    for (const type of CONSENT_TYPES) await given(phone, { type, seller: 'Solar Inc' })
    const first = await consentsOf(phone, KEY, { page_size: '3' })
    expect(first).toMatchObject({ count: 4, next: expect.stringContaining('page=2'), previous: null })
    expect(first.results.map(({ type }: { type: string }) => type)).toEqual(['written_seller', 'written', 'oral'])
    const second = await consentsOf(phone, KEY, { page_size: '3', page: '2' })
    expect(second).toMatchObject({ next: null, results: [{ type: 'none' }] })
    expect(await consentsOf(phone, KEY, { page: '2' })).toEqual({ detail: 'Invalid page.' })
    expect(await consentsOf('', KEY)).toMatchObject({ phone_number: [expect.any(String)] })
  })

  it('GET /api/consents/ shows nothing of another user', async () => {
    const phone = newPhone()
    await given(phone)
    expect(await consentsOf(phone, OTHER_KEY)).toMatchObject({ count: 0, results: [] })
  })
})

describe('POST /api/consents/revoke/', () => {
  it('POST /api/consents/revoke/ stops the phone at once and records how', async () => {
    const lead = await created()
    const messages = await queued()
    const how = 'Asked by email.'
    expect(await revoked(lead.phone_number, { how })).toMatchObject({
      ...{ kind: 'revoked', how, channels: ['call', 'sms'], time: AT_NOON, type: null, sequence: 1 },
    })
    expect(await leadNow(lead.id)).toMatchObject({ call_dnc: true, sms_dnc: true, next_call_time: null })
    await place(messages)
    expect(world().agent.requests).toHaveLength(0)
  })

  it('POST /api/consents/revoke/ stops only the channels that it names', async () => {
    const phone = newPhone()
    await revoked(phone, { channels: ['sms'] })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: false, sms_dnc: true })
    await revoked(phone, { channels: 'call' })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: true, sms_dnc: true })
    expect(await consentsOf(phone)).toMatchObject({ results: [{ channels: ['call'] }, { channels: ['sms'] }] })
  })

  it.each([
    ['2027-01-30T09:59:59Z', ['sms'], false],
    ['2027-01-30T10:00:00Z', ['call', 'sms'], true],
  ])('at %s, a revocation for text messages ends the channels %j', async (time, channels, call_dnc) => {
    const phone = newPhone()
    setClock(Date.parse(time))
    expect(await revoked(phone, { channels: ['sms'] })).toMatchObject({ channels })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc, sms_dnc: true })
  })

  it('a revocation that is sent again makes no second record, and stops the phone again', async () => {
    const phone = newPhone()
    const asked = { time: '2026-11-20T15:00:00Z' }
    await revoked(phone, asked)
    setClock(NOON + 60_000)
    expect(await revokeConsent(phone, asked)).toMatchObject({ status: 200, body: { sequence: 1 } })
    const key = { 'Idempotency-Key': `revoke ${phone}` }
    await revoked(phone, {}, KEY, key)
    expect(await revokeConsent(phone, {}, KEY, key)).toMatchObject({ status: 201, body: { sequence: 2 } })
    expect(await consentsOf(phone)).toMatchObject({ count: 2 })
  })

  it.each([
    // The clock stands at 16:00.
    ['2026-11-20', AT_NOON],
    ['2026-11-19', '2026-11-20T11:59:59.999000+00:00'],
    [' 2026-9-1 ', '2026-09-02T11:59:59.999000+00:00'],
    ['2026-11-19T00:00', '2026-11-19T00:00:00.000000+00:00'],
    ['2026-11-20T09:00Z', '2026-11-20T09:00:00.000000+00:00'],
  ])('a revocation of %j counts from %s on: of a day alone, the last moment anywhere counts that has come', async (time, since) => {
    expect(await revoked(newPhone(), { time })).toMatchObject({ time: since })
  })

  it('no consent of the day of a revocation without a clock time counts again, and a later one does', async () => {
    const phone = newPhone()
    const given_time = async () => (await getConsentState(OWNER, phone)).given?.time
    await revoked(phone, { time: '2026-11-20' })
    await given(phone, { time: '2026-11-20T15:00:00Z' })
    expect(await given_time()).toBeUndefined()
    await revoked(phone, { time: '2026-11-19' })
    await given(phone, { time: '2026-11-19T20:00:00Z' })
    expect(await given_time()).toBeUndefined()
    setClock(NOON + 120_000)
    await given(phone, { time: '2026-11-20T16:01:00Z' })
    expect(await given_time()).toBe(NOON + 60_000)
  })

  it('a consent that is sent again with another lead does not undo a revocation, whatever the time of the revocation is', async () => {
    const phone = newPhone()
    const consent = { time: '2026-11-20T01:00:00Z' }
    await given(phone, consent)
    await revoked(phone, { time: '2026-11-18' })
    expect((await giveConsent(phone, consent)).status).toBe(200)
    expect((await getConsentState(OWNER, phone)).given).toBeNull()
  })

  it('a revocation without a clock time that is sent again later on its day ends the consents received meanwhile', async () => {
    const phone = newPhone()
    await revoked(phone, { time: '2026-11-20' })
    setClock(NOON + 60_000)
    await given(phone, { time: '2026-11-20T16:00:30Z' })
    expect((await getConsentState(OWNER, phone)).given).not.toBeNull()
    setClock(NOON + 120_000)
    expect(await revoked(phone, { time: '2026-11-20' })).toMatchObject({ time: '2026-11-20T16:02:00.000000+00:00' })
    expect((await getConsentState(OWNER, phone)).given).toBeNull()
  })

  it.each([
    [{ channels: ['email'] }, { channels: [expect.stringContaining('"email" is not a valid choice.')] }],
    [{ channels: [] }, { channels: ['This list may not be empty.'] }],
    [{ how: 'x'.repeat(1001) }, { how: ['Ensure this field has no more than 1000 characters.'] }],
    [{ type: 'oral' }, { type: [expect.stringContaining('Unknown field.')] }],
  ])('POST /api/consents/revoke/ refuses %j and stops nothing', async (changes, errors) => {
    const phone = newPhone()
    expect(await revokeConsent(phone, changes)).toMatchObject({ status: 400, body: errors })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: false, sms_dnc: false })
  })

  it.each([
    ['2026-11-20T16:05:01Z', 'This time is in the future.'],
    ['2026-11-21', 'This time is in the future.'],
    ['1066-10-14T09:00:00Z', 'This time is before 1991'],
    ['yesterday', 'Datetime has wrong format.'],
    [7, 'Datetime has wrong format.'],
  ])('POST /api/consents/revoke/ stops the number although it refuses the time %j, and says so', async (time, problem) => {
    const phone = newPhone()
    const message = expect.stringContaining(`The phone number is stopped. This revocation was not recorded: ${problem}`)
    expect(await revokeConsent(phone, { time })).toMatchObject({ status: 400, body: { time: [message] } })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: true, call_listed: true, sms_dnc: true })
    expect(await consentsOf(phone)).toMatchObject({ count: 0 })
  })
})
