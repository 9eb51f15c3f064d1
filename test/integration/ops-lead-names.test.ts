import { describe, expect, it } from '@jest/globals'
import { giveName } from '#shared/accounts/names.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { created } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { KEY, OTHER_KEY } from '#test/support/world.ts'

const { tool } = opsWorld({
  prepare: async () => {
    await giveName({ kind: 'USER', keys: ['acme'], id: 1 })
    await giveName({ kind: 'USER', keys: ['other'], id: 2 })
  },
})

const shown = async (...words: readonly string[]): Promise<unknown> => {
  const { code, out, err } = await tool().ops(['lead', 'show', ...words, '--json'])
  return code === 0 ? JSON.parse(out).lead.id : err
}

describe('a lead', () => {
  it('the ops tool finds a lead by id, phone number, email or external id', async () => {
    const phone_number = '(312) 555-0101'
    const { id } = await created({ phone_number, email: 'ann@example.com', external_id: 'crm 1' })
    for (const name of [`${id}`, phone_number, '+13125550101', '3125550101', 'Ann@Example.com', 'crm 1', ' crm 1 '])
      expect({ name, found: await shown(name) }).toEqual({ name, found: id })
    for (const command of ['explain', 'timeline'])
      expect(await tool().ops(['lead', command, phone_number])).toMatchObject({ code: 0, out: expect.stringContaining(`${id}`) })
    expect((await tool().ops(['lead', 'timeline', 'nobody'])).err).toBe(
      'There is no lead nobody. Name a lead by its id, phone number, email or external id.\n',
    )
  })

  it('the ops tool finds a lead by its id first, and then by an external id of digits', async () => {
    const one = await created()
    const two = await created({ external_id: `${one.id}` })
    const three = await created({ external_id: '987654' })
    expect(await shown(`${one.id}`)).toBe(one.id)
    expect(await shown('987654')).toBe(three.id)
    expect(await shown(`${one.id}`, '--owner', 'other')).toMatch(/^There is no lead/)
    expect(two.id).not.toBe(one.id)
  })

  it('the ops tool chooses no lead among several, and lists them instead', async () => {
    const [one, two] = [await created({ external_id: 'twice' }), await created({ external_id: 'twice' }, OTHER_KEY)]
    const said = await shown('twice')
    expect(said).toMatch(/^2 leads are named twice\. Name one by its id:\n\nLEAD +USER +PHONE/)
    for (const { id, phone_number } of [one, two]) expect(said).toMatch(new RegExp(`^${id} +\\d +\\${phone_number} +twice +OPEN`, 'm'))
    expect(await shown('twice', '--owner', 'acme')).toBe(one.id)
    expect(await shown('twice', '--owner', '2')).toBe(two.id)
    expect(await shown('twice', '--owner', 'nobody')).toMatch(/^There is no user nobody/)
  })

  it('the ops tool names a lead that cannot be read', async () => {
    const { id } = await created({ external_id: 'broken' }, KEY)
    await updateItem(leadKey(id), {
      UpdateExpression: 'SET #status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': 'NONSENSE' },
    })
    expect(await shown('broken')).toMatch(/^The lead LEAD#\d+\/LEAD cannot be read \(status\)/)
  })
})
