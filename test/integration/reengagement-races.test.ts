import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { type CreateOptions, createLead } from '#shared/leads/create-lead.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { holesAmong } from '#shared/positions/holes.ts'
import { takePosition } from '#shared/positions/position-store.ts'
import { newPhone, times } from '#test/support/lead-requests.ts'
import { pastLeads, post, reengagingType, TYPES, UNIQUE } from '#test/support/past-leads.ts'
import { reservationOf } from '#test/support/reservations.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { unitsOf } from '#test/support/units.ts'
import { OWNER } from '#test/support/world.ts'

const { queued, past } = pastLeads()

describe('64 identical creates at once', () => {
  it('64 identical creates at once reengage a past lead once and fail otherwise when they have an email', async () => {
    const body = { phone_number: newPhone(), email: 'a@example.com', lead_type: TYPES.zero }
    const { id, version } = await past(body)
    const answers = await times(64, () => post(body))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400).map((answer) => answer.body)).toEqual(Array(63).fill(UNIQUE))
    expect(await getLead(id)).toMatchObject({ reengagements_count: 1, version: version + 1 })
    expect((await getPerson(OWNER, body.phone_number)).leads).toHaveLength(1)
  })

  it('64 identical creates at once reengage a past lead once and create 63 leads when they have no email', async () => {
    const body = { phone_number: newPhone(), lead_type: TYPES.zero }
    const { id } = await past(body)
    const answers = await times(64, () => post(body))
    expect(answers.filter(({ status }) => status === 200).map((answer) => answer.body.id)).toEqual([id])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(63)
    expect((await getPerson(OWNER, body.phone_number)).leads).toHaveLength(64)
    expect(await getLead(id)).toMatchObject({ reengagements_count: 1 })
  })
})

describe('a create that loses a race', () => {
  it('a create that loses a race leaves a hole at its position when its metadata is too large', async () => {
    const body = { phone_number: newPhone(), email: 'a@example.com', lead_type: TYPES.zero }
    const before = await takePosition(OWNER)
    let isFirst = true
    const overtake = async (command: unknown): Promise<void> => {
      if (!(command instanceof TransactWriteCommand && isFirst)) return
      isFirst = false
      await past({ ...body, a: 'x'.repeat(60_000) })
    }
    const answer = await beforeEachSend(overtake, () => post({ ...body, b: 'y'.repeat(60_000) }))
    expect(answer.status).toBe(400)
    expect(answer.body).toHaveProperty('metadata')
    expect([...(await holesAmong(OWNER, [before + 1, before + 2]))]).toEqual([before + 1])
  })
})

describe('a create repeated after a crash', () => {
  const input = (phone_number: string) => ({ phone_number, metadata: { timezone: 'America/New_York' }, min_reengagement_days: 0 })

  it('a create repeated after a crash finds the lead that it created, and sends its call again', async () => {
    const phone_number = newPhone()
    const first = await createLead(OWNER, input(phone_number), { reservation: reservationOf(900_001) })
    expect(first).toMatchObject({ action: 'created', enqueued: true, lead: { id: 900_001 } })
    await queued()
    expect(await createLead(OWNER, input(phone_number), { reservation: reservationOf(900_001) })).toEqual(first)
    expect(await queued()).toHaveLength(1)
    expect((await getPerson(OWNER, phone_number)).leads).toHaveLength(1)
  })

  it('a create repeated after a crash finds its reengaged lead, even after reengagement was disabled', async () => {
    const phone_number = newPhone()
    const { id } = await past({ phone_number, lead_type: TYPES.zero })
    const asked = { ...input(phone_number), min_reengagement_days: undefined, lead_type: 9 }
    await reengagingType(9, { min_days: 0 })
    await createLead(OWNER, asked, { reservation: reservationOf(900_005) })
    await reengagingType(9, { enabled: false })
    expect(await createLead(OWNER, asked, { reservation: reservationOf(900_005), isRepeat: true })).toMatchObject({
      action: 'reengaged',
      lead: { id },
    })
    expect((await getPerson(OWNER, phone_number)).leads).toHaveLength(1)
  })

  it('a create repeated after a crash costs at most two more read units than a first one', async () => {
    const body = { phone_number: newPhone(), lead_type: TYPES.off }
    await times(12, () => post(body))
    const asked = { phone_number: body.phone_number, lead_type: TYPES.off, metadata: {} }
    const readBy = async (options: CreateOptions) => (await unitsOf(() => createLead(OWNER, asked, options))).read
    await readBy({})
    const once = await readBy({})
    expect(await readBy({ reservation: reservationOf(900_006) })).toBeLessThanOrEqual(once + 1)
    expect(await readBy({ reservation: reservationOf(900_006), isRepeat: true })).toBeLessThanOrEqual(once + 2)
  })

  it('eight copies of a create that run at once after a crash create one lead', async () => {
    const phone_number = newPhone()
    const both = await times(8, () => createLead(OWNER, input(phone_number), { reservation: reservationOf(900_002) }))
    expect(new Set(both.map(({ lead }) => lead.position)).size).toBe(1)
    expect((await getPerson(OWNER, phone_number)).leads).toEqual([{ id: 900_002, email: null }])
  })

  it('a create repeated after a crash returns the lead that it reengaged, without reengaging it again', async () => {
    const phone_number = newPhone()
    const { id } = await past({ phone_number })
    const first = await createLead(OWNER, input(phone_number), { reservation: reservationOf(900_003) })
    expect(first).toMatchObject({ action: 'reengaged', lead: { id } })
    expect(await createLead(OWNER, input(phone_number), { reservation: reservationOf(900_003) })).toEqual(first)
    expect(await getLead(id)).toMatchObject({ reengagements_count: 1 })
    expect((await getPerson(OWNER, phone_number)).leads).toHaveLength(1)
    expect(await createLead(OWNER, input(phone_number), { reservation: reservationOf(900_004) })).toMatchObject({ action: 'created' })
  })
})
