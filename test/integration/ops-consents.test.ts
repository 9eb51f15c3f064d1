import { beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { consentPk } from '#shared/platform/keys.ts'
import { partitionItems } from '#shared/platform/table/table.ts'
import { setClock } from '#test/support/clock.ts'
import { consentsOf, given, revoked } from '#test/support/consents.ts'
import { newPhone, phoneOf } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { KEY, OTHER_KEY, OWNER } from '#test/support/world.ts'

const { tool } = opsWorld({ withBucket: true })
beforeEach(() => setClock(NOON))

/** A person with records of two users, one with a stored answer, and somebody whose proof names the number. */
const aPerson = async () => {
  const phone = newPhone()
  await given(phone, { proof_text: 'I agree.' }, KEY, { 'Idempotency-Key': `given ${phone}` })
  await revoked(phone, { how: 'By email.', channels: ['call'] })
  await given(phone, {}, OTHER_KEY)
  const friend = newPhone()
  await given(friend, { proof_text: `${phone} agreed too.` })
  return { phone, friend }
}

const itemsOf = (owner: number, phone: string) => partitionItems(v.unknown(), consentPk(owner, phone))

describe('the consents of a person', () => {
  it('export prints the records of every user, or of one', async () => {
    const { phone } = await aPerson()
    const { consents } = JSON.parse((await tool().ops(['export', phone, '--json'])).out)
    expect(consents.map(({ owner, kind }: { owner: number; kind: string }) => `${owner} ${kind}`).toSorted()).toEqual([
      '1 given',
      '1 revoked',
      '2 given',
    ])
    expect(consents).toContainEqual(expect.objectContaining({ how: 'By email.', channels: ['call'], time: expect.stringMatching(/^2026/) }))
    const { consents: own } = JSON.parse((await tool().ops(['export', phone, '--owner', `${OWNER}`, '--json'])).out)
    expect(own).toHaveLength(2)
  })

  it('erase removes the records and their summary, and keeps the stop and the records of others', async () => {
    const { phone, friend } = await aPerson()
    await tool().ops(['erase', phone, '--yes'])
    expect(await itemsOf(OWNER, phone)).toEqual([])
    expect(await itemsOf(2, phone)).toEqual([])
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: true, call_listed: true })
    expect(await consentsOf(friend)).toMatchObject({ count: 1, results: [{ proof_text: `${phone} agreed too.` }] })
    await tool().ops(['erase', phone, '--everywhere', '--yes'])
    expect(JSON.stringify(await consentsOf(friend))).not.toContain(phone)
  })

  it('check reads the records, and finds a malformed one', async () => {
    const { phone } = await aPerson()
    expect(JSON.stringify(await tool().ops(['check']))).not.toContain(phone)
  })
})
