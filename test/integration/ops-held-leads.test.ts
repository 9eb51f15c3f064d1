import { afterEach, describe, expect, it } from '@jest/globals'
import { markPart } from '#shared/backlog/marks.ts'
import { markUnreadable } from '#shared/backlog/plan-again.ts'
import { litigatorHolder } from '#shared/backlog/rules/holders.ts'
import { BREAKERS, breakerKey, dueAt, heldKey, markKey } from '#shared/platform/keys.ts'
import { putItem, updateItem } from '#shared/platform/table/table.ts'
import { setClock } from '#test/support/clock.ts'
import { heldLeads, unlistHeld } from '#test/support/held-leads.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { tool } = opsWorld()

afterEach(unlistHeld)

const FORMER = heldKey('simulator')

const unmark = (name: string) => updateItem(breakerKey(name), { UpdateExpression: 'REMOVE due_key, due_at' })

const markIn = (due_key: string, name: string) => putItem({ ...breakerKey(name), due_key, due_at: dueAt(NOON, 0, 0) })

/** No sweep reads it. */
const WRONG = 'MARKED#16'

/** Damage of these held leads and of their agent, as to lists and marks. */
const found = async (leads: readonly number[]): Promise<string[]> => {
  const { out } = await tool().ops(['check', '--json', '--again-after', '0'])
  const findings: { readonly kind: string; readonly where: string }[] = JSON.parse(out).findings
  const places = ['simulator', ...leads.map(String)]
  return findings.filter(({ kind, where }) => /held|due/.test(kind) && places.includes(where)).map(({ kind, where }) => `${kind} ${where}`)
}

describe('leads that an agent holds', () => {
  it.each([{}, { due_key: FORMER }])(
    'check finds the leads of an agent without a mark, and nothing wrong in their list: %j',
    async (options) => {
      setClock(NOON)
      const leads = await heldLeads(1, { held_by: 'simulator' }, { key: OTHER_KEY, ...options })
      await unmark('simulator')
      expect(await found(leads)).toEqual(['held-not-marked simulator'])
      expect(await tool().ops(['repair', 'held-not-marked', 'simulator'])).toMatchObject({ code: 0 })
      expect(await found(leads)).toEqual([])
    },
  )

  it('check finds nothing wrong while the leads of a marked part are released', async () => {
    setClock(NOON)
    const leads = [...(await heldLeads(1, { held_by: 'simulator' })), ...(await heldLeads(1, { held_by: 'registry national' }))]
    await unmark('simulator')
    for (const holder of ['simulator', 'registry national']) await markPart(`${holder}#${OWNER}`, NOON, false)
    expect(await found(leads)).toEqual([])
  })

  it('check finds nothing wrong with a held lead while the lead itself is marked', async () => {
    setClock(NOON)
    const [lead = 0] = await heldLeads(1, { held_by: 'lead-type 1' })
    expect(await found([lead])).toEqual([`lead-held-in-vain ${lead}`])
    await markUnreadable(lead)
    expect(await found([lead])).toEqual([])
  })

  it('check finds an agent whose mark is in a partition that no sweep reads, and repair marks it again', async () => {
    setClock(NOON)
    const leads = await heldLeads(1, { held_by: 'simulator' }, { key: OTHER_KEY })
    await markIn(WRONG, 'simulator')
    expect(await found(leads)).toEqual(['held-not-marked simulator'])
    expect(await tool().ops(['repair', 'held-not-marked', 'simulator'])).toMatchObject({ code: 0 })
    expect(await found(leads)).toEqual([])
  })

  const LITIGATOR = litigatorHolder('uY3-_w')

  it.each([
    [markKey(LITIGATOR), false],
    [BREAKERS, false],
    [WRONG, true],
  ])('a delisted litigator with a mark in the partition %s has a lead that is held in vain: %j', async (partition, isHeldInVain) => {
    setClock(NOON)
    const [lead] = await heldLeads(1, { held_by: LITIGATOR })
    await markIn(partition, LITIGATOR)
    expect(await found([lead!])).toEqual(isHeldInVain ? [`lead-held-in-vain ${lead}`] : [])
  })

  it('due counts the leads that an agent holds, those in the list of an earlier version included', async () => {
    setClock(NOON)
    await tool().apply(`users: [{ key: acme, id: ${OWNER} }]\nagents: [{ key: simulator, url: 'https://agent.example.com' }]`)
    await heldLeads(2, { held_by: 'simulator' })
    await heldLeads(1, { held_by: 'simulator' }, { due_key: FORMER })
    const { owners } = JSON.parse((await tool().ops(['due', '--owner', `${OWNER}`, '--json'])).out)
    expect(owners).toMatchObject([{ owner: OWNER, held: 3 }])
  })
})
