import { describe, expect, it } from '@jest/globals'
import { times } from '#test/support/lead-requests.ts'
import { created, listWorld, newOwner, newPhone } from '#test/support/list-owners.ts'

listWorld()

describe('a lookup of leads', () => {
  it('a lookup finds leads by phone, email and external id, in any notation, the newest first', async () => {
    const owner = await newOwner()
    const phone_number = newPhone()
    const local = `(212) ${phone_number.slice(5, 8)}-${phone_number.slice(8)}`
    const one = await created(owner, { phone_number, email: 'Ann@Example.com', external_id: 'crm-1' })
    const two = await created(owner, { email: 'ann@example.com', external_id: 'crm-2' })
    const three = await created(owner, { phone_number: local, external_id: 'crm-1' })
    await created(owner)
    const found = async (query: Record<string, string>) => (await owner.walk({ ...query, page_size: '1' })).ids
    for (const notation of [phone_number, local, phone_number.replace('+', ' '), phone_number.slice(2)])
      expect(await found({ phone_number: notation })).toEqual([three, one])
    expect(await found({ email: ' ANN@example.COM ' })).toEqual([two, one])
    expect(await found({ external_id: 'crm-1' })).toEqual([three, one])
    expect(await found({ external_id: 'crm-1', email: 'ann@example.com' })).toEqual([one])
    expect(await found({ external_id: 'crm-2', phone_number })).toEqual([])
    expect((await owner.get({ external_id: 'crm-1', page_size: '1' })).json).toMatchObject({
      count: 2,
      next: expect.stringMatching(/\?external_id=crm-1&page=2&page_size=1$/),
    })
    expect(await owner.get({ external_id: 'crm-1', page: '2' })).toMatchObject({ status: 404 })
  })

  it('a lookup of leads finds a foreign number whose plus sign was not escaped', async () => {
    const owner = await newOwner()
    const id = await created(owner, { phone_number: '+442071838750' })
    for (const phone_number of ['+442071838750', ' 442071838750', '+44 20 7183 8750'])
      expect((await owner.walk({ phone_number })).ids).toEqual([id])
  })

  it('a lookup of leads finds nothing for impossible values, and ignores blank values', async () => {
    const owner = await newOwner()
    const id = await created(owner)
    const odd = ['nobody', '\0', 'x'.repeat(5000), '\ud800', '__proto__']
    for (const name of ['phone_number', 'email', 'external_id'])
      for (const text of odd) expect(await owner.get({ [name]: text })).toMatchObject({ status: 200, json: { count: 0, results: [] } })
    for (const name of ['phone_number', 'email', 'external_id']) expect((await owner.walk({ [name]: ' ' })).ids).toEqual([id])
  })

  it('a lookup pages through 230 leads, the newest first', async () => {
    const owner = await newOwner()
    const email = 'shared@example.com'
    const ids: number[] = []
    for (let round = 0; round < 10; round++) ids.push(...(await times(23, () => created(owner, { email }))))
    const { ids: found, counts } = await owner.walk({ email })
    expect(found).toEqual(ids.toSorted((a, b) => b - a))
    expect(counts).toEqual([230])
  })
})
