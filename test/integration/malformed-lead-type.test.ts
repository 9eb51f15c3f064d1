import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getLead, leadItem } from '#shared/leads/lead-store.ts'
import { emergenciesKey, leadTypeKey, linesKey } from '#shared/platform/keys.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { deleteItem, putItem, updateItem } from '#shared/platform/table/table.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON, sampleLead, sampleLeadType } from '#test/support/samples.ts'
import { twoLines } from '#test/support/two-lines.ts'
import { OTHER_KEY } from '#test/support/world.ts'

const calls = callWorld()
const { queued, place, placeQueued, keysAsked } = calls
const { end } = twoLines(calls)

/** Leads of the user with two lines, which are due now. Their phones differ by `from`. */
const dueLeads = (from: number, count: number, lead_type: number) => {
  const lead = (id: number) =>
    sampleLead({ id, position: id, owner: 2, lead_type, next_call_time: NOON, phone_number: `+1212${id + 2_000_000}` })
  return batchPut(Array.from({ length: count }, (_, index) => leadItem(lead(from + index))))
}

/** As a repair by hand may leave it. */
const malformType = (id: number) => putItem({ ...leadTypeKey(2, id), ...sampleLeadType({ id, owner: 2 }), cadence: 'malformed' })

/** Creates a lead that is due after the others. Expects that the next sweep has it called, and no other. */
const expectLeadBehindIsCalled = async (): Promise<void> => {
  passTime(SECOND)
  const behind = (await created({ lead_type: 4 }, OTHER_KEY)).id
  await queued()
  passTime(MINUTE)
  await dispatchDue()
  await placeQueued()
  expect(keysAsked()).toEqual([`${behind}-1`])
  await end(behind)
}

beforeEach(async () => {
  setClock(NOON)
  await updateItem(linesKey(2), { UpdateExpression: 'REMOVE waiting_time, fill_time, sent_until' })
})

describe('leads of a malformed lead type', () => {
  it('a due lead of a malformed lead type is held, and called within a minute after the repair of the type', async () => {
    await malformType(6)
    await dueLeads(300_000, 1, 6)
    passTime(MINUTE)
    expect(await place([{ type: 'dial', lead_id: 300_000, attempt: 1, due_at: NOON }])).toEqual([])
    expect(await getLead(300_000)).toMatchObject({ due_list: 'HELD', held_by: 'lead-type 6', next_call_time: NOON })
    await dispatchDue()
    await placeQueued()
    expect(keysAsked()).toEqual([])
    await saveLeadType(sampleLeadType({ id: 6, owner: 2 }))
    passTime(MINUTE)
    await dispatchDue()
    await placeQueued()
    expect(keysAsked()).toEqual(['300000-1'])
    await end(300_000)
  })

  it('hundreds of leads of a malformed lead type do not keep the lines from the lead behind them', async () => {
    await malformType(7)
    await dueLeads(400_000, 520, 7)
    await expectLeadBehindIsCalled()
  })
})

describe('a lead with a malformed phone', () => {
  it('ten leads with malformed phones do not keep the lines from the lead behind them, and take the lines once their phones are repaired', async () => {
    const count = 10
    await dueLeads(600_000, count, 4)
    const phones = await Promise.all(Array.from({ length: count }, (_, index) => phonePk('2', `+1212${2_600_000 + index}`)))
    for (const pk of phones) await putItem({ pk, sk: 'PHONE', call_dnc: 'malformed' })
    await expectLeadBehindIsCalled()
    expect(await getLead(600_000)).toMatchObject({ due_list: 'HELD', held_by: 'lead 600000', next_call_time: NOON })
    for (const pk of phones.slice(1)) await deleteItem({ pk, sk: 'PHONE' })
    passTime(11 * MINUTE)
    await dispatchDue()
    await placeQueued()
    const [, ...asked] = keysAsked()
    expect(asked).toHaveLength(2)
    expect(asked).not.toContain('600000-1')
  })
})

describe('an item that all leads use', () => {
  it('a lead is not held when the emergencies cannot be read: its dial fails, so that an alarm shows it', async () => {
    await dueLeads(700_000, 1, 4)
    await putItem({ ...emergenciesKey, jurisdictions: 'malformed' })
    forgetConfiguration()
    expect(await place([{ type: 'dial', lead_id: 700_000, attempt: 1, due_at: NOON }])).toEqual([0])
    expect(await getLead(700_000)).toMatchObject({ due_list: 'CALL' })
    await deleteItem(emergenciesKey)
    forgetConfiguration()
  })
})

describe('an owner whose lines cannot be read', () => {
  it('an owner whose lines cannot be read does not repeat the look at other owners', async () => {
    await dueLeads(500_000, 1, 4)
    await updateItem(linesKey(2), { UpdateExpression: 'SET fence = :text', ExpressionAttributeValues: { ':text': 'malformed' } })
    expect(await place([{ type: 'look', owners: [2, 1] }])).toEqual([])
    await updateItem(linesKey(2), { UpdateExpression: 'REMOVE fence' })
  })
})
