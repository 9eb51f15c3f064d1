import { describe, expect, it } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { filterOwner, listWorld } from '#test/support/list-owners.ts'
import { sampleLeadType } from '#test/support/samples.ts'

listWorld()

describe('a wrong filter', () => {
  const BLANK = expect.stringContaining('may not be blank. Leave the parameter out')

  it.each<[Record<string, string>, Record<string, unknown>]>([
    [{ status: 'open' }, { status: ['"open" is not a valid choice. Did you mean OPEN?'] }],
    [{ status: 'OPEN,LOST,LOSST' }, { status: ['"LOSST" is not a valid choice. Did you mean LOST?'] }],
    [
      { status: 'zzzzzzzz' },
      { status: [expect.stringMatching(/^"zzzzzzzz" is not a valid choice\. The choices are UNKNOWN, NEW, OPEN, /)] },
    ],
    [{ status: '' }, { status: [BLANK] }],
    [{ status: 'OPEN,' }, { status: [BLANK] }],
    [{ lead_type: ' ' }, { lead_type: [BLANK] }],
    [{ lead_type: 'four' }, { lead_type: ['Incorrect type. Expected pk value, received str. You sent "four".'] }],
    [{ lead_type: '99' }, { lead_type: [expect.stringContaining('Invalid pk "99" - object does not exist.')] }],
    [{ modified_time_after: 'yesterday' }, { modified_time_after: [expect.stringContaining('Datetime has wrong format.')] }],
    [{ created_time_before: '' }, { created_time_before: [BLANK] }],
    [{ ordering: 'created_time' }, { ordering: [expect.stringContaining('"created_time" is not a valid choice.')] }],
    [
      { modified_time_after: '2026-11-21', modified_time_before: '2026-11-20' },
      { modified_time_before: ['The range is empty: modified_time_before is earlier than modified_time_after.'] },
    ],
    [
      { created_time_after: '2026-11-20', status: 'OPEN' },
      { created_time_after: [expect.stringMatching(/cannot be combined with status.* can be combined with phone_number/)] },
    ],
    [
      { status: 'x', lead_type: 'y', created_time_after: 'z' },
      { status: [expect.any(String)], lead_type: [expect.any(String)], created_time_after: [expect.any(String)] },
    ],
  ])('a wrong filter is refused with its field, and lists nothing: %j', async (query, json) => {
    const owner = await filterOwner()
    expect(await owner.get(query)).toMatchObject({ status: 400, json })
  })

  it('a filtered list may name a page by its number only if it is the first', async () => {
    const owner = await filterOwner()
    await owner.add()
    expect((await owner.get({ status: 'OPEN', page: '1' })).status).toBe(200)
    for (const page of ['2', 'last']) {
      const detail = 'Invalid page. With these filters, pages have no numbers: follow the link `next`.'
      expect(await owner.get({ status: 'OPEN', page })).toMatchObject({ status: 404, json: { detail } })
    }
  })

  it('a filtered list refuses a cursor that is malformed, or of another list', async () => {
    const owner = await filterOwner()
    const stranger = await filterOwner()
    for (let count = 0; count < 3; count++) await owner.add()
    const { next } = (await owner.get({ status: 'OPEN', page_size: '1' })).json
    const cursor = new URL(next).searchParams.get('cursor')!
    expect((await owner.get({ status: 'OPEN', cursor })).status).toBe(200)
    const forged = Buffer.from(JSON.stringify([...JSON.parse(Buffer.from(cursor, 'base64url').toString()).slice(0, 2), 'x', 1]))
    for (const [who, query] of [
      [owner, { status: 'LOST', cursor }],
      [owner, { status: 'OPEN', ordering: 'modified_time', cursor }],
      [owner, { cursor }],
      [stranger, { status: 'OPEN', cursor }],
      ...['', 'x', '%', '\0', 'x'.repeat(5000), forged.toString('base64url')].map(
        (text) => [owner, { status: 'OPEN', cursor: text }] as const,
      ),
    ] as const)
      expect(await who.get(query)).toMatchObject({
        status: 404,
        json: { detail: expect.stringMatching(/^Invalid cursor\. Follow the links/) },
      })
  })

  it('a filtered list needs a lead type or fewer statuses when the owner has many lead types', async () => {
    const owner = await filterOwner()
    for (let id = 100; id < 120; id++) await saveLeadType(sampleLeadType({ owner: owner.id, id, name: `Type ${id}` }))
    expect(await owner.get({ ordering: 'modified_time' })).toMatchObject({
      status: 400,
      json: { lead_type: [expect.stringContaining('too many')] },
    })
    const id = await owner.add({ lead_type: 110 })
    for (const query of [{ status: 'OPEN' }, { lead_type: '110', modified_time_after: '2000-01-01' }])
      expect((await owner.follow(query)).ids).toEqual([id])
  })
})
