import { describe, expect, it } from '@jest/globals'
import { NO_NEXT_CALL } from '#shared/calling/rules/next-call.ts'
import { leadHappenings } from '#shared/events/rules/derive.ts'
import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import * as keys from '#shared/platform/keys.ts'
import { deleteItem, updateItem } from '#shared/platform/table/table.ts'
import { created } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { KEY, OTHER_KEY } from '#test/support/world.ts'

const { tool } = opsWorld()

/** A new lead of the first or the second user. */
const newLead = async (fields: Record<string, unknown> = {}, isOther = false) =>
  (await getLead((await created(fields, isOther ? OTHER_KEY : KEY)).id))!

const set = (key: keys.Key, name: string, value: unknown) =>
  updateItem(key, {
    UpdateExpression: 'SET #name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': value },
  })

const check = async () => {
  const { code, out, err } = await tool().ops(['check', '--json', '--again-after', '0'])
  expect(err).toBe('')
  const findings: { kind: string; where: string; command: string | null }[] = JSON.parse(out).findings
  return { code, locations: findings.map(({ kind, where }) => `${kind} ${where}`), findings }
}

const repairAll = async () => {
  const { code, out, err } = await tool().ops(['repair', '--all', '--json', '--again-after', '0'])
  const rows: { kind: string; where: string; outcome: string; message: string }[] = JSON.parse(out)
  return { code, err, outcomes: rows.map(({ kind, where, outcome }) => `${outcome}: ${kind} ${where}`), rows }
}

describe('a lead that cannot be read', () => {
  it('check reports a lead that cannot be read, and repair still repairs other damage', async () => {
    const lead = await newLead({ email: 'nonsense@example.com', external_id: 'crm-1' })
    const other = await newLead({ email: 'lacks@example.com' })
    await set(keys.leadKey(lead.id), 'status', 'NONSENSE')
    await deleteItem(keys.personKey(other.owner, other.phone_number))
    const unreadable = `unreadable LEAD#${lead.id}/LEAD`
    const found = await check()
    expect(found.code).toBe(1)
    for (const look of ['show', 'timeline', 'explain']) {
      const { code, err } = await tool().ops(['lead', look, `${lead.id}`])
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^The lead LEAD#\d+\/LEAD cannot be read \(status\)\. .*\n$/) })
    }
    expect(found.locations).toEqual(expect.arrayContaining([`person-lacks-lead ${other.id}`, unreadable]))
    const repaired = await repairAll()
    expect(repaired.code).toBe(1)
    expect(repaired.outcomes).toEqual(expect.arrayContaining([`repaired: person-lacks-lead ${other.id}`, `not repairable: ${unreadable}`]))
    const left = await check()
    expect(left.findings.filter(({ command }) => command !== null)).toEqual([])
    expect(left.locations).toContain(unreadable)
    await set(keys.leadKey(lead.id), 'status', 'OPEN')
    expect(await check()).toMatchObject({ code: 0 })
  })
})

describe('an unreadable item of a list', () => {
  it('check reports an unreadable item of a list', async () => {
    const { owner } = await newLead({}, true)
    await set(keys.holesKey(owner, 0), 'holes', 'none')
    expect(await check()).toMatchObject({ code: 1, locations: [`unreadable POSITIONS#${owner}/HOLES#0`] })
    await deleteItem(keys.holesKey(owner, 0))
  })
})

describe('a lead whose last write caused an update event', () => {
  const DAMAGE: readonly [kind: string, UpdateExpression: string, values: Record<string, unknown>][] = [
    ['lead-not-listed', 'REMOVE owner_block', {}],
    ['lead-not-filtered', 'REMOVE change_list, changed_at', {}],
    ['lead-not-due', 'REMOVE due_key, due_at', {}],
    ['due-in-vain', 'SET due_key = :key', { ':key': 'CALL#0' }],
  ]

  it.each(DAMAGE)(
    'repair causes no second event of a lead whose last write caused an update event: %s',
    async (kind, UpdateExpression, values) => {
      const lead = await newLead()
      const vain = kind === 'due-in-vain' && { ...NO_NEXT_CALL, status: 'CANCELLED' as const }
      expect(await saveLead({ ...lead, ...vain, cause: 'collect', version: lead.version + 1 })).toBe(true)
      const isSet = Object.keys(values).length > 0
      await updateItem(keys.leadKey(lead.id), { UpdateExpression, ...(isSet && { ExpressionAttributeValues: values }) })
      const before = (await getLead(lead.id))!
      expect((await check()).locations).toEqual([kind === 'due-in-vain' ? `${kind} lead/${lead.id}` : `${kind} ${lead.id}`])
      expect(await repairAll()).toMatchObject({ code: 0 })
      const after = (await getLead(lead.id))!
      expect(leadHappenings({ before, after })).toEqual([])
      expect(after).toEqual({ ...before, cause: after.cause })
    },
  )
})

describe('a repair of all damage', () => {
  it('repair --all continues after a location that refuses, and reports it', async () => {
    const [one, twice, lacking] = [await newLead(), await newLead(), await newLead({ email: 'behind@example.com' })]
    await set(keys.leadKey(twice.id), 'position', one.position)
    await set(keys.linesKey(1), 'paused_upto', twice.position + 100)
    await deleteItem(keys.personKey(lacking.owner, lacking.phone_number))
    const { code, outcomes, rows } = await repairAll()
    expect(code).toBe(1)
    expect(outcomes).toEqual(expect.arrayContaining([`refused: position-twice ${twice.id}`, `repaired: person-lacks-lead ${lacking.id}`]))
    expect(rows.find(({ outcome }) => outcome === 'refused')?.message).toContain('Repair it when the pause is over.')
    await updateItem(keys.linesKey(1), { UpdateExpression: 'REMOVE paused_upto' })
    expect(await repairAll()).toMatchObject({ code: 0, outcomes: expect.arrayContaining([`repaired: position-twice ${twice.id}`]) })
    expect(await check()).toMatchObject({ code: 0 })
  })

  it('repair --all repeats until nothing is wrong', async () => {
    const [one, other] = [await newLead(), await newLead()]
    // The hole at its old position shows only when the lead has its own position.
    await set(keys.leadKey(other.id), 'position', one.position)
    await updateItem(keys.leadKey(other.id), { UpdateExpression: 'REMOVE owner_block' })
    expect(await repairAll()).toMatchObject({ code: 0 })
    expect(await check()).toMatchObject({ code: 0 })
  })
})
