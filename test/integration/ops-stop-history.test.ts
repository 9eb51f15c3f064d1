import { beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { getUser, saveUser } from '#shared/accounts/user-store.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { partitionItems } from '#shared/platform/table/table.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { delistLitigator } from '#shared/stops/litigator-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { setClock } from '#test/support/clock.ts'
import { revoked } from '#test/support/consents.ts'
import { created, listed, newPhone, patched } from '#test/support/lead-requests.ts'
import { listLitigator } from '#test/support/litigators.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OWNER } from '#test/support/world.ts'

const { tool } = opsWorld({ withBucket: true })
beforeEach(() => setClock(NOON))

/** Another user of the group of `OWNER`. */
const FELLOW = 31

const exported = async (phone: string) => JSON.parse((await tool().ops(['export', phone, '--json'])).out)
const itemsOf = async (phone: string): Promise<string> => {
  const items = await partitionItems(v.unknown(), await phonePk('1', phone))
  return JSON.stringify(items, (_, value) => (value instanceof Set ? [...value] : value))
}

/** A person whose stops name their number and their lead, with records in the phone's item and in items of their own. */
const aStoppedPerson = async () => {
  const { id, phone_number } = await created()
  await patched(id, { sms_dnc: true })
  await revoked(phone_number, { how: `Never call ${phone_number} again. ${'Please. '.repeat(60)}` })
  await revoked(phone_number, { how: `I said not to call ${phone_number}.` })
  return { id, phone: phone_number }
}

describe('the history of stops in the operator tool', () => {
  it('export prints each stop and each lift, also that of the operator', async () => {
    const { phone_number: phone } = await created()
    await listed({ phone_number: phone })
    setClock(NOON + 1000)
    await tool().ops(['dnc', 'lift', phone, '--owner', `${OWNER}`, '--reason', 'Asked by letter', '--yes'])
    const { stops } = await exported(phone)
    expect(stops[0].history).toHaveLength(2)
    expect(stops[0].history).toMatchObject([
      { action: 'lifted', means: 'operator', words: 'Asked by letter', time: '2026-11-20T16:00:01.000000+00:00' },
      { action: 'stopped', means: 'list', received_by: OWNER, owner: OWNER, channels: ['call', 'sms'] },
    ])
  })

  it('export --owner hides who received the stops of other users, and their words', async () => {
    const { id, phone_number: phone } = await created()
    await patched(id, { sms_dnc: true })
    await revoked(phone, { how: 'Words to user 1.' })
    await tool().ops(['dnc', 'lift', phone, '--owner', `${OWNER}`, '--reason', 'A reason', '--yes'])
    const stopsFor = async (owner: number) => JSON.parse((await tool().ops(['export', phone, '--owner', `${owner}`, '--json'])).out).stops
    const theirs = await stopsFor(OWNER)
    expect(JSON.stringify(theirs)).toContain('Words to user 1.')
    expect(JSON.stringify(theirs)).not.toContain('A reason')
    await saveUser({ ...(await getUser(OWNER))!, id: FELLOW, name: 'Fellow' })
    const [{ history }] = await stopsFor(FELLOW)
    const hidden = { time: expect.anything(), means: null, received_by: null, lead: null, upload_id: null, call_id: null, words: null }
    const stopped = { ...hidden, agent: null, owner: null, action: 'stopped' }
    expect(history).toContainEqual({ ...stopped, channels: ['call', 'sms'] })
    expect(history).toContainEqual({ ...stopped, channels: ['sms'] })
  })

  it('erase keeps when, how and by whom, and removes words and ids', async () => {
    const { id, phone } = await aStoppedPerson()
    const { code, out } = await tool().ops(['erase', phone, '--yes'])
    expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('Not erased') })
    const { stops } = await exported(phone)
    expect(stops[0].history).toMatchObject([
      { means: 'revocation', words: null, received_by: OWNER },
      { means: 'revocation', words: null, received_by: OWNER },
      { means: 'api', lead: null, channels: ['sms'] },
    ])
    expect(await itemsOf(phone)).not.toContain(`"lead":${id}`)
    expect(await itemsOf(phone)).not.toContain(phone.slice(2))
  })

  it('erase removes the words of a stop of a number without leads', async () => {
    const phone = newPhone()
    const origin = { means: 'text', words: `Jane Smith says stop. ${'Please. '.repeat(60)}` } as const
    await raiseDnc(await phonePk('1', phone), ['call'], { accepted: nextSequence(), owner: OWNER, origin })
    await tool().ops(['erase', phone, '--yes'])
    expect(await itemsOf(phone)).not.toContain('Jane')
  })

  it('erase removes the words of a stop after a first run that died before that', async () => {
    const { phone_number: phone } = await created()
    await revoked(phone, { how: `Jane Smith asked. ${'Please. '.repeat(60)}` })
    const failing = (command: unknown) => {
      const text = JSON.stringify(command)
      if (/#record = :text/.test(text) && !text.includes('Jane')) throw new Error('The connection broke.')
    }
    expect(await beforeEachSend(failing, () => tool().ops(['erase', phone, '--yes']))).toMatchObject({ code: 1 })
    expect(await itemsOf(phone)).toContain('Jane')
    await tool().ops(['erase', phone, '--yes'])
    expect(await itemsOf(phone)).not.toContain('Jane')
  })

  it('erase removes the reason of a lift from the list', async () => {
    const { phone_number: phone } = await created()
    await listed({ phone_number: phone })
    await tool().ops(['dnc', 'lift', phone, '--owner', `${OWNER}`, '--reason', 'Jane Smith wrote', '--yes'])
    await listed({ phone_number: phone })
    await tool().ops(['erase', phone, '--yes'])
    expect(await itemsOf(phone)).not.toContain('Jane')
    const [{ history }] = (await exported(phone)).stops
    expect(history).toHaveLength(3)
    expect(history).toContainEqual(expect.objectContaining({ action: 'lifted', means: 'operator', words: null }))
  })

  it('erase removes the history of a number that is no longer stopped', async () => {
    const { id, phone_number } = await created()
    await patched(id, { call_dnc: true })
    await patched(id, { call_dnc: false })
    await tool().ops(['erase', phone_number, '--yes'])
    expect(await itemsOf(phone_number)).toBe('[]')
  })

  it('erase --owner keeps the history that a lifted stop of another user has left', async () => {
    const { id, phone_number: phone } = await created()
    await patched(id, { call_dnc: true })
    await saveUser({ ...(await getUser(OWNER))!, id: FELLOW, name: 'Fellow' })
    const other = { accepted: nextSequence(), owner: FELLOW, origin: { means: 'api' } } as const
    await raiseDnc(await phonePk('1', phone), ['call'], other)
    await patched(id, { call_dnc: false })
    await tool().ops(['erase', phone, '--owner', `${OWNER}`, '--yes'])
    const [{ history }] = (await exported(phone)).stops
    expect(history).toContainEqual(expect.objectContaining({ owner: FELLOW, means: 'api' }))
  })

  it("erase --everywhere removes the number from the words of others' stops", async () => {
    const { phone } = await aStoppedPerson()
    const friend = newPhone()
    await revoked(friend, { how: `Call ${phone} instead.` })
    await tool().ops(['erase', phone, '--everywhere', '--yes'])
    const [{ history }] = (await exported(friend)).stops
    expect(history).toMatchObject([{ words: 'Call erased instead.' }])
  })

  it('check reads the records', async () => {
    const { phone } = await aStoppedPerson()
    expect(JSON.stringify(await tool().ops(['check']))).not.toContain(await phonePk('1', phone))
  })
})

describe('the history of the list of litigators', () => {
  it('export tells when a number came on the list and left it', async () => {
    const phone = newPhone()
    await listLitigator(phone)
    setClock(NOON + 1000)
    await delistLitigator(phone)
    expect(await exported(phone)).toMatchObject({
      listed_as_litigator: false,
      litigator_history: [{ listed_time: '2026-11-20T16:00:00.000000+00:00', delisted_time: '2026-11-20T16:00:01.000000+00:00' }],
    })
    setClock(NOON + 2000)
    await listLitigator(phone)
    const { listed_as_litigator, litigator_history } = await exported(phone)
    expect(listed_as_litigator).toBe(true)
    expect(litigator_history).toMatchObject([{}, { listed_time: '2026-11-20T16:00:02.000000+00:00', delisted_time: null }])
  })
})
