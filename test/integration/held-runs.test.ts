import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { changeUserSettings } from '#shared/accounts/user-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { getLead, saveLead } from '#shared/leads/lead-store.ts'
import { leadTypeKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { settingsWorld } from '#test/support/changed-settings.ts'
import { setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OWNER } from '#test/support/world.ts'

const { world, place, queued, placeQueued, saveType, openAccount } = settingsWorld()

const planOf = async (id: number) => {
  const { due_list, held_by, attempts } = (await getLead(id))!
  return { due_list, held_by, attempts }
}

/** The messages of a sweep that look at a holder. */
const looksAt = async (holder: string) => {
  await dispatchDue()
  return (await queued()).filter((message) => message.type === 'probe' && message.agent === holder)
}

/** The messages that begin a run through the leads of one owner: the sweep's looks at a holder send them. */
const runsOf = async (holder: string) => {
  await place(await looksAt(holder))
  return (await queued()).filter(({ type }) => type === 'retry-held')
}

const heldByEmergency = async () => {
  await saveEmergencies(['NY'])
  forgetConfiguration()
  const lead = await created({ us_state: 'NY' })
  await placeQueued()
  expect(await planOf(lead.id)).toMatchObject({ held_by: 'emergency NY' })
  return lead.id as number
}

const endEmergency = async () => {
  await saveEmergencies([])
  forgetConfiguration()
  setClock(NOON + MINUTE)
}

describe('a run through the leads of a holder', () => {
  it('a run goes on from its place after a failure of the table, without another look of the sweep', async () => {
    const lead = await heldByEmergency()
    await endEmergency()
    const runs = await runsOf('emergency NY')
    let failures = 0
    const failing = (command: unknown) => {
      if (JSON.stringify(command).includes(`"LEAD#${lead}"`) && failures++ === 0) throw new Error('The connection broke.')
    }
    await beforeEachSend(failing, () => place(runs)).catch(() => undefined)
    expect(await planOf(lead)).toMatchObject({ held_by: 'emergency NY' })
    await place(runs)
    expect(await planOf(lead)).toMatchObject({ due_list: 'CALL', held_by: null })
  })

  it('a lead whose lead type cannot be read stays held, and is called once the lead type is repaired', async () => {
    const lead = await heldByEmergency()
    const { id } = sampleLeadType()
    await updateItem(leadTypeKey(OWNER, id), { UpdateExpression: 'SET script = :x', ExpressionAttributeValues: { ':x': 5 } })
    await endEmergency()
    await place(await runsOf('emergency NY'))
    expect(await planOf(lead)).toMatchObject({ due_list: 'HELD', held_by: 'emergency NY' })
    await saveType()
    forgetConfiguration()
    setClock(NOON + 4 * MINUTE)
    expect(await looksAt(`lead ${lead}`)).toEqual([])
    setClock(NOON + 11 * MINUTE)
    await dispatchDue()
    await placeQueued()
    expect(await planOf(lead)).toMatchObject({ attempts: 1 })
  })

  it('leads that reverted account hours release do not wait for the run of the first change', async () => {
    await changeUserSettings(OWNER, { calling_hours: { closed_dates: ['2026-11-20'] } as never })
    forgetConfiguration()
    setClock(NOON + 20 * SECOND)
    await place(await looksAt(`account ${OWNER}`))
    const lead = await created()
    await placeQueued()
    await changeUserSettings(OWNER, { calling_hours: null })
    forgetConfiguration()
    setClock(NOON + 40 * SECOND)
    await place(await looksAt(`account ${OWNER}`))
    expect(await planOf(lead.id)).toMatchObject({ due_list: 'CALL' })
    await openAccount()
  })
})

describe('leads that an agent holds until tomorrow', () => {
  it('leads that an agent holds until tomorrow get their lead type’s new agent, without a message before they are due', async () => {
    const { id } = await created()
    const other = { id: 'other', url: world().agent.url, secrets: [world().agentSecret] }
    await saveAgent(other)
    const lead = (await getLead(id))!
    const tomorrow = { next_call_time: NOON + 20 * HOUR, due_list: 'HELD' as const, held_by: 'simulator' }
    await saveLead({ ...lead, ...tomorrow, version: lead.version + 1 })
    await queued()
    await saveType({ agent: other.id })
    forgetConfiguration()
    setClock(NOON + MINUTE)
    await place(await runsOf('simulator'))
    expect(await planOf(id)).toMatchObject({ due_list: 'CALL', held_by: null })
    expect(await queued()).toEqual([])
  })
})
