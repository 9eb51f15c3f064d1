import { describe, expect, it } from '@jest/globals'
import { callsOf } from '#shared/calling/call-store.ts'
import { MOST_RECORDS } from '#shared/consents/add-record.ts'
import { getConsentState } from '#shared/consents/consent-store.ts'
import { consentStateKey } from '#shared/platform/keys.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { consentsOf, giveConsent, given } from '#test/support/consents.ts'
import { dieAfter } from '#test/support/die-after.ts'
import { explained } from '#test/support/explained.ts'
import { created, leadNow, patched } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OWNER } from '#test/support/world.ts'

const { inCall, tell, told, saveType, place, queued } = settingsWorld()

const demand = async (consent_type: 'written' | null) => {
  await saveType({ consent_type })
  forgetConfiguration()
}

const iso = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString()

const consentGate = async (id: number) => (await explained(id)).gates['consent']

const revocations = async (phone: string) =>
  (await consentsOf(phone)).results.filter(({ kind }: { readonly kind: string }) => kind === 'revoked')

/** A call with a person whose written consent is recorded. */
const consented = async () => {
  setClock(NOON)
  await demand(null)
  const { lead, call, phone } = await inCall()
  await given(phone)
  await demand('written')
  setClock(NOON + 5 * MINUTE)
  return { lead, call, phone }
}

const REVOKED = { passed: false, detail: expect.stringMatching(/^The consent to calls was revoked at /) }

const SAID = { channel: 'call', words: 'I revoke my consent' }

describe('a stop of calls that a person asks for in a call or a text message', () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    ['dnc.requested', SAID, { how: 'I revoke my consent', source: 'call', channels: ['call', 'sms'] }],
    ['dnc.requested', { channel: 'call' }, { how: null, source: 'call', channels: ['call'] }],
    ['call.completed', { outcome: 'do_not_call' }, { how: null, source: 'call', channels: ['call'] }],
    ['sms.completed', { direction: 'inbound', body: 'Stop calling me' }, { how: 'Stop calling me', source: 'text', channels: ['call'] }],
  ])(
    'it revokes the recorded consent, and a client that sends an older flag does not allow calls again: %s %j',
    async (type, data, record) => {
      const { lead, call, phone } = await consented()
      await told(call, type, data, 60)
      await told(call, type, data, 60)
      expect(await patched(lead, { call_dnc: false, status: 'OPEN', next_call_time: iso(6) })).toMatchObject({ call_dnc: false })
      expect(await consentGate(lead)).toMatchObject(REVOKED)
      expect(await revocations(phone)).toMatchObject([
        { ...record, time: iso(1).replace('Z', '000+00:00'), received_by: OWNER, lead: null },
      ])
    },
  )

  it('a stop of text messages alone revokes no consent to calls', async () => {
    const { lead, call, phone } = await consented()
    await told(call, 'dnc.requested', { channel: 'sms' })
    expect(await revocations(phone)).toEqual([])
    expect(await consentGate(lead)).toMatchObject({ passed: true })
  })

  it('a consent that arrives later counts only if the person gave it after the stop', async () => {
    const { lead, call, phone } = await inCall()
    await told(call, 'dnc.requested', SAID, 60)
    await demand('written')
    passTime(5 * MINUTE)
    await given(phone, { time: iso(0) })
    expect(await consentGate(lead)).toMatchObject(REVOKED)
    await given(phone, { time: iso(2) })
    expect(await consentGate(lead)).toMatchObject({ passed: true })
    await told(call, 'dnc.requested', SAID, 60)
    expect(await consentGate(lead)).toMatchObject({ passed: true })
  })

  it('the time of the revocation is no earlier than the call and no later than its report', async () => {
    for (const [seconds, minutes] of [
      [-86_400, 0],
      [86_400, 5],
    ] as const) {
      const { call, phone } = await consented()
      await told(call, 'dnc.requested', SAID, seconds)
      const [{ time }] = await revocations(phone)
      expect(Math.round((Date.parse(time) - NOON) / MINUTE)).toBe(minutes)
    }
  })

  it('a stop is taken, and revokes the consent, when the phone has as many records as it may have', async () => {
    const { lead, call, phone } = await consented()
    const state = await getConsentState(OWNER, phone)
    await putItem({ ...consentStateKey(OWNER, phone), ...state, last_sequence: MOST_RECORDS })
    expect(await giveConsent(phone, { proof_text: 'One more' })).toMatchObject({ status: 400 })
    await told(call, 'dnc.requested', SAID)
    expect(await consentGate(lead)).toMatchObject(REVOKED)
    await patched(lead, { call_dnc: false })
    await told(call, 'dnc.requested', { channel: 'call', words: 'Never again' }, 240)
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true })
    expect(await revocations(phone)).toHaveLength(1)
  })

  it('a report whose handling dies after any write revokes the consent once, when the agent repeats the report', async () => {
    for (let [writes, hasDied] = [0, true]; hasDied; writes++) {
      const { lead, call, phone } = await consented()
      hasDied = await dieAfter(writes, () => tell(call, 'dnc.requested', SAID))
      await told(call, 'dnc.requested', SAID)
      expect(await revocations(phone)).toHaveLength(1)
      expect(await consentGate(lead)).toMatchObject(REVOKED)
    }
  })
})

describe('the outcome `wrong_number`', () => {
  const WRONG = { outcome: 'wrong_number' }

  it('it ends the consents so far, so that other leads of the phone that need one are not called', async () => {
    const { lead, call, phone } = await consented()
    const other = await created({ phone_number: phone, email: 'other@wrong.example' })
    await told(call, 'call.completed', WRONG, 60)
    expect(await leadNow(lead)).toMatchObject({ status: 'BAD_NUMBER' })
    expect(await leadNow(other.id)).toMatchObject({ status: 'OPEN', call_dnc: false })
    expect(await consentGate(other.id)).toMatchObject(REVOKED)
    expect(await revocations(phone)).toMatchObject([
      { how: 'The agent reported a wrong number.', source: 'call', channels: ['call'], time: iso(1).replace('Z', '000+00:00') },
    ])
    await given(phone, { time: iso(0), source: 'A late import' })
    expect(await consentGate(other.id)).toMatchObject(REVOKED)
    await given(phone, { time: iso(3) })
    expect(await consentGate(other.id)).toMatchObject({ passed: true })
  })

  it('it stops no other lead whose lead type demands no consent', async () => {
    const { call, phone } = await consented()
    await demand(null)
    const other = await created({ phone_number: phone, email: 'other@wrong.example' })
    await told(call, 'call.completed', WRONG, 60)
    expect(await explained(other.id)).toMatchObject({ callable: true })
  })

  it('reports that are repeated, at whatever time, make one record', async () => {
    const { call, phone } = await consented()
    for (const seconds of [60, 60, 120]) await told(call, 'call.completed', WRONG, seconds)
    expect(await revocations(phone)).toHaveLength(1)
  })

  it('reports that contradict an earlier outcome make one record, and a repeat ends no newer consent', async () => {
    const { call, phone } = await consented()
    const other = await created({ phone_number: phone, email: 'other@wrong.example' })
    await told(call, 'call.completed', { outcome: 'completed' }, 60)
    await told(call, 'call.completed', WRONG, 90)
    await given(phone, { time: iso(3) })
    await told(call, 'call.completed', WRONG, 240)
    expect(await revocations(phone)).toHaveLength(1)
    expect(await consentGate(other.id)).toMatchObject({ passed: true })
  })

  it('a presumed outcome ends the consents at once, and the completion with the same outcome adds nothing', async () => {
    const { call, phone } = await consented()
    await told(call, 'call.ended', { presumed_outcome: 'wrong_number' }, 60)
    expect(await revocations(phone)).toHaveLength(1)
    await told(call, 'call.completed', WRONG, 90)
    expect(await revocations(phone)).toHaveLength(1)
  })

  it('a report whose handling dies after any write ends the consents when the agent repeats the report', async () => {
    for (let [writes, hasDied] = [0, true]; hasDied; writes++) {
      const { lead, call, phone } = await consented()
      hasDied = await dieAfter(writes, () => tell(call, 'call.completed', WRONG))
      await told(call, 'call.completed', WRONG)
      expect(await revocations(phone)).toHaveLength(1)
      expect(await leadNow(lead)).toMatchObject({ status: 'BAD_NUMBER' })
    }
  })
})

/** Whether a transaction puts an item whose sort key begins so. */
const puts = (command: unknown, prefix: string): boolean => {
  const { input } = command as {
    readonly input: { readonly TransactItems?: readonly { readonly Put?: { readonly Item: { sk: string } } }[] }
  }
  return (input.TransactItems ?? []).some(({ Put }) => Put?.Item.sk.startsWith(prefix))
}

describe('a dial during the report of a revocation', () => {
  it('no dial follows a stop that is lifted before its revocation is recorded', async () => {
    const { call, phone } = await consented()
    await told(call, 'call.completed', { outcome: 'no_answer' }, 10)
    const { id } = await created({ phone_number: phone })
    await queued()
    let placed: Promise<unknown> | undefined
    await beforeEachSend(
      async (command) => {
        if (placed || !puts(command, 'RECORD#')) return
        placed = patched(id, { call_dnc: false }).then(async () => place(await queued()))
        await placed
      },
      () => told(call, 'dnc.requested', SAID, 60),
    )
    expect(placed).toBeDefined()
    expect(await leadNow(id)).toMatchObject({ call_dnc: false })
    expect(await callsOf(id)).toEqual([])
    expect(await consentGate(id)).toMatchObject(REVOKED)
  })

  it('no dial to another lead that has seen the consent is written after the answer to the report of a wrong number', async () => {
    const { call, phone } = await consented()
    const { id } = await created({ phone_number: phone, email: 'other@wrong.example' })
    await told(call, 'call.ended', {}, 10)
    const dials = await queued()
    const [dial, report] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let placed: Promise<unknown> | undefined
    await beforeEachSend(
      async (command) => {
        if (!placed && puts(command, 'RECORD#')) {
          placed = place(dials)
          await Promise.race([dial.promise, placed])
        } else if (puts(command, 'CALL#')) {
          dial.resolve()
          await report.promise
        }
      },
      async () => {
        await told(call, 'call.completed', { outcome: 'wrong_number' }, 60)
        report.resolve()
        await placed
      },
    )
    expect(await callsOf(id)).toEqual([])
    expect(await consentGate(id)).toMatchObject(REVOKED)
    // The dial was about to be written.
    await dial.promise
  })
})
