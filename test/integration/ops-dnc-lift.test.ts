import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as explain } from '#functions/leads/explain.ts'
import { handler as updateByMatch } from '#functions/leads/update-by-match.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { stopContacting } from '#shared/stops/stop.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, listed, newPhone, patch, patched, phoneOf } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { consumeAll, OWNER, request } from '#test/support/world.ts'

const { world, tool } = opsWorld()
beforeEach(() => setClock(NOON))

const REASON = 'Asked for a call again by email'

const lift = async (phone: string, more: readonly string[] = ['--yes'], answer?: () => string) =>
  tool().ops(['dnc', 'lift', phone, '--owner', `${OWNER}`, '--reason', REASON, ...more], answer && { answer })

const aListedLead = async (flags = {}) => {
  const lead = await created()
  await listed({ phone_number: lead.phone_number, ...flags })
  return lead
}

const queued = () => world().queues.take('CALL_QUEUE_URL')

describe('an update that sets call_dnc to false', () => {
  const LISTED = 'dnc_listed;field="call_dnc"'

  it('an update with call_dnc false warns that the do-not-contact list still stops a listed number', async () => {
    const { id, phone_number } = await aListedLead({ sms_dnc: false })
    const answer = await patch(id, { call_dnc: false, lead_source: 'web' })
    expect(answer).toMatchObject({ status: 200, body: { call_dnc: true, lead_source: 'web', next_call_time: null } })
    expect(answer.headers['X-Warnings']).toBe(LISTED)
    const body = { phone_number, call_dnc: false }
    const matched = await request(updateByMatch, { method: 'PUT', path: '/api/leads/update/', body })
    expect(matched.headers['X-Warnings']).toBe(LISTED)
    const told = await request(explain, { method: 'GET', path: `/api/leads/${id}/explain/`, parameters: { id: `${id}` } })
    expect(told.body.gates.find(({ gate }: { gate: string }) => gate === 'dnc')).toMatchObject({
      passed: false,
      detail: "The phone is on the group's do-not-contact list. Only the operator can lift that.",
    })
  })

  it('an update with call_dnc false gives no warning for a number that is not listed', async () => {
    const { id } = await created()
    await patched(id, { call_dnc: true })
    const answer = await patch(id, { call_dnc: false })
    expect(answer).toMatchObject({ status: 200, body: { call_dnc: false } })
    expect(answer.headers).not.toHaveProperty('X-Warnings')
  })
})

describe('a lift of a number from the list', () => {
  it("dnc lift allows calls to a number's leads again, and stores the reason", async () => {
    const lead = await aListedLead()
    const other = await created({ phone_number: lead.phone_number, email: 'other@example.com' })
    expect(other).toMatchObject({ call_dnc: true, next_call_time: null })
    await queued()
    expect(await lift(lead.phone_number)).toMatchObject({ code: 0, out: expect.stringContaining('Lifted call_dnc and sms_dnc') })
    for (const { id } of [lead, other]) {
      expect(await leadNow(id)).toMatchObject({ call_dnc: false, sms_dnc: false, status: 'OPEN', next_call_time: expect.any(String) })
    }
    expect((await queued()).length).toBeGreaterThan(0)
    expect(await phoneOf(lead.phone_number)).toMatchObject({
      ...{ call_dnc: false, sms_dnc: false, call_listed: false, sms_listed: false },
      list_lifts: [{ time: expect.any(Number), channels: ['call', 'sms'], reason: REASON }],
    })
    for (const command of [
      ['lead', 'show', `${lead.id}`],
      ['lead', 'timeline', `${lead.id}`],
    ]) {
      expect((await tool().ops(command)).out).toContain(REASON)
    }
    expect(await created({ phone_number: lead.phone_number, email: 'new@example.com' })).toMatchObject({ call_dnc: false })
  })

  it('dnc lift allows calls again to a lead whose call was refused before it showed the stop', async () => {
    const { id, phone_number } = await created()
    // As a stop that is reported after the person's erasure from another user of the group: the leads of others are not known then.
    await raiseDnc(await phonePk('1', phone_number), ['call'], {
      accepted: nextSequence(),
      owner: 1,
      origin: { means: 'api' },
      listed: true,
    })
    await consumeAll(placeCall, await queued())
    expect(await leadNow(id)).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await lift(phone_number)).toMatchObject({ code: 0 })
    expect(await leadNow(id)).toMatchObject({ call_dnc: false, next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
  })

  it('dnc lift lifts one channel when the command names it', async () => {
    const { id, phone_number } = await aListedLead()
    expect(await lift(phone_number, ['--channel', 'sms', '--yes'])).toMatchObject({ code: 0 })
    expect(await leadNow(id)).toMatchObject({ call_dnc: true, sms_dnc: false, next_call_time: null })
    expect(await phoneOf(phone_number)).toMatchObject({ call_listed: true, sms_listed: false })
  })

  it('dnc lift changes nothing in a dry run, and needs a yes', async () => {
    const { id, phone_number } = await aListedLead()
    expect(await lift(phone_number, ['--dry-run'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Would lift call_dnc and sms_dnc/),
    })
    expect(await lift(phone_number, [])).toMatchObject({ code: 1, err: expect.stringContaining('use --yes. Nothing was lifted.') })
    expect(await lift(phone_number, [], () => 'no')).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was lifted.') })
    expect(await leadNow(id)).toMatchObject({ call_dnc: true })
    expect(await lift(phone_number, [], () => 'yes')).toMatchObject({
      ...{ code: 0, out: expect.stringContaining('The stop no longer holds for its 1 lead.') },
    })
    expect(await leadNow(id)).toMatchObject({ call_dnc: false })
  })

  it('dnc lift says that a number has no leads', async () => {
    const phone_number = newPhone()
    await listed({ phone_number })
    expect(await lift(phone_number)).toMatchObject({
      ...{ code: 0, out: `Lifted call_dnc and sms_dnc of ${phone_number}. It has no leads.\n` },
    })
  })

  it('dnc lift refuses a number that is not on the list, and a lift without a reason', async () => {
    const phone = newPhone()
    expect(await lift(phone)).toMatchObject({ code: 1, err: expect.stringContaining('is not on the list') })
    const { code, err } = await tool().ops(['dnc', 'lift', phone, '--owner', `${OWNER}`, '--reason', ' ', '--yes'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--reason must be one line') })
  })

  it('dnc lift does not lift a stop that is raised while the command runs', async () => {
    const { id, phone_number } = await aListedLead()
    let isRaised = false
    const raiseOnce = async (command: unknown) => {
      if (isRaised || !JSON.stringify(command).includes('list_lifts')) return
      isRaised = true
      await listed({ phone_number, sms_dnc: false })
    }
    const { code, out } = await beforeEachSend(raiseOnce, () => lift(phone_number))
    expect({ isRaised, code }).toEqual({ isRaised: true, code: 0 })
    expect(out).toMatch(/^Lifted sms_dnc of /)
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true, call_listed: true, sms_dnc: false })
    expect(await leadNow(id)).toMatchObject({ call_dnc: true, sms_dnc: false })
  })

  it('dnc lift keeps a stop that is raised before it reaches the leads, although its own clock is ahead', async () => {
    const { id, phone_number } = await aListedLead()
    const pk = await phonePk('1', phone_number)
    // By the clock of the service, the stop comes before the lift.
    const stopped = nextSequence()
    let [isLifted, isRaised] = [false, false]
    const raiseOnce = async (command: unknown) => {
      if (isLifted && !isRaised) {
        isRaised = true
        await stopContacting(OWNER, phone_number, pk, ['call'], { means: 'call' }, { accepted: stopped })
      }
      isLifted ||= JSON.stringify(command).includes('list_lifts')
    }
    expect(await beforeEachSend(raiseOnce, () => lift(phone_number))).toMatchObject({ code: 0 })
    expect(isRaised).toBe(true)
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true, sms_dnc: false })
    expect(await leadNow(id)).toMatchObject({ call_dnc: true, sms_dnc: false, next_call_time: null })
  })

  it('dnc lift fails when every stop is raised again while the command runs', async () => {
    const { phone_number } = await aListedLead({ sms_dnc: false })
    const raise = (command: unknown) =>
      JSON.stringify(command).includes('list_lifts') ? listed({ phone_number, sms_dnc: false }) : undefined
    const { code, err } = await beforeEachSend(raise, () => lift(phone_number))
    expect(code).toBe(1)
    expect(err).toMatch(/was stopped again while the command ran\. Nothing was lifted\./)
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true, call_listed: true })
  })

  it('dnc lift has no effect when it is repeated, until the number is listed again', async () => {
    const { id, phone_number } = await aListedLead()
    await lift(phone_number)
    expect(await lift(phone_number)).toMatchObject({ code: 0 })
    expect((await phoneOf(phone_number)).list_lifts).toHaveLength(1)
    await listed({ phone_number })
    expect(await leadNow(id)).toMatchObject({ call_dnc: true, next_call_time: null })
    await lift(phone_number)
    expect((await phoneOf(phone_number)).list_lifts).toHaveLength(2)
    expect(await leadNow(id)).toMatchObject({ call_dnc: false })
  })
})
