import { describe, expect, it } from '@jest/globals'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkUpdates } from '#test/support/bulk-updates.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { created, leadNow, listed, patched, phoneOf } from '#test/support/lead-requests.ts'

captureLog()
const { world } = callWorld()
const { accepted, work } = bulkUpdates(world)

describe('a lift of a DNC flag', () => {
  it('a lift of a DNC flag is not undone on the phone by a bulk update that was accepted earlier', async () => {
    const { id, phone_number } = await created({ email: 'a@older.example' })
    const other = await created({ email: 'b@older.example' })
    // A stop for a phone that this lead is still to get.
    await accepted([{ id: other.id, phone_number, call_dnc: true }])
    await patched(id, { call_dnc: true })
    await patched(id, { call_dnc: false })
    await work()
    expect(await leadNow(other.id)).toMatchObject({ phone_number, call_dnc: true, next_call_time: null })
    expect(await leadNow(id)).toMatchObject({ call_dnc: false })
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: false })
  })

  it('a lift of a DNC flag does not undo a stop that was raised after the lift was accepted', async () => {
    const { id, phone_number } = await created({ email: 'a@later.example' })
    const other = await created({ email: 'b@later.example', phone_number })
    await patched(id, { call_dnc: true })
    await accepted([{ id, call_dnc: false }])
    await patched(other.id, { call_dnc: true })
    await work()
    expect(await leadNow(id)).toMatchObject({ call_dnc: true })
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true })
  })

  it('a lift of a DNC flag does not reach a phone that the lead gets after the lift was accepted', async () => {
    const lead = await created()
    await patched(lead.id, { call_dnc: true })
    const stopped = await created()
    await patched(stopped.id, { call_dnc: true })
    await accepted([{ id: lead.id, call_dnc: false }])
    expect(await patched(lead.id, { phone_number: stopped.phone_number, email: 'moved@example.com' })).toMatchObject({ call_dnc: true })
    await work()
    expect(await leadNow(lead.id)).toMatchObject({ call_dnc: true })
    expect(await phoneOf(stopped.phone_number)).toMatchObject({ call_dnc: true })
  })

  it('a lift of a DNC flag writes nothing to the phone of a lead without a stop', async () => {
    const lead = await created()
    await patched(lead.id, { call_dnc: false, sms_dnc: false })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ version: 0 })
  })

  it('a lift of a DNC flag has the same result when it is repeated', async () => {
    const lead = await created()
    await patched(lead.id, { call_dnc: true, sms_dnc: true })
    await patched(lead.id, { sms_dnc: false })
    expect(await patched(lead.id, { sms_dnc: false })).toMatchObject({ sms_dnc: false, call_dnc: true })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ call_dnc: true, sms_dnc: false })
  })
})

describe('a stop that races with a lift', () => {
  it('a stop that races with a lift of a DNC flag leaves the lead and the phone in agreement', async () => {
    for (let round = 0; round < 25; round++) {
      const lead = await created({ email: `a${round}@race.example` })
      const other = await created({ email: `b${round}@race.example`, phone_number: lead.phone_number })
      await patched(lead.id, { call_dnc: true })
      const [lifted] = await Promise.all([patched(lead.id, { call_dnc: false }), patched(other.id, { call_dnc: true })])
      const [now, phone] = await Promise.all([leadNow(lead.id), phoneOf(lead.phone_number)])
      // Either the stop came after, and everything shows it, or it came before and was lifted; nothing in between.
      expect({ lead: now.call_dnc, other: (await leadNow(other.id)).call_dnc }).toEqual({ lead: phone.call_dnc, other: true })
      if (lifted.call_dnc) expect(phone.call_dnc).toBe(true)
    }
  })

  it('an entry on the do-not-contact list wins a race with a lift of the DNC flag', async () => {
    for (let round = 0; round < 25; round++) {
      const lead = await created()
      await patched(lead.id, { call_dnc: true })
      await Promise.all([listed({ phone_number: lead.phone_number }), patched(lead.id, { call_dnc: false })])
      expect(await phoneOf(lead.phone_number)).toMatchObject({ call_dnc: true, call_listed: true })
      expect(await leadNow(lead.id)).toMatchObject({ call_dnc: true, next_call_time: null })
    }
  })
})
