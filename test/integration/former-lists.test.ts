import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { giveName } from '#shared/accounts/names.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLead, leadItem } from '#shared/leads/lead-store.ts'
import { leadKey, userKey } from '#shared/platform/keys.ts'
import { putItem, updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { pause, unpause } from '#test/support/pauses.ts'
import { NOON } from '#test/support/samples.ts'
import { OWNER } from '#test/support/world.ts'

const { queued, placeQueued, keysAsked } = callWorld()

/** A lead as version 1.0.2 stored it. */
const former = async (fields: Partial<Lead>, due_key: string): Promise<number> => {
  const { id } = await created()
  await queued()
  const item = leadItem({ ...(await getLead(id))!, ...fields })
  await putItem({ ...item, due_key })
  return id
}

/** Each tenth minute, the sweep also reads the former lists of owners. */
const sweeps = async (): Promise<void> => {
  for (let minute = 1; minute <= 12; minute++) {
    setClock(NOON + minute * MINUTE)
    await dispatchDue()
    await placeQueued()
  }
}

describe('leads in the lists of an earlier version', () => {
  it('leads in the lists of an earlier version are called', async () => {
    await giveName({ kind: 'USER', keys: ['acme'], id: OWNER })
    // An earlier version listed no users.
    await updateItem(userKey(OWNER), { UpdateExpression: 'REMOVE due_key, due_at' })
    const leads = [
      await former({ due_list: 'CALL' }, 'CALL#1'),
      await former({ due_list: 'WAIT', next_call_time_reason: 'CAPACITY' }, `WAIT#${OWNER}`),
      await former({ due_list: 'PARKED' }, `PARKED#${OWNER}`),
    ]
    await sweeps()
    expect(keysAsked().toSorted()).toEqual(leads.map((id) => `${id}-1`).toSorted())
  })

  it('leads in the lists of an earlier version stay uncalled while their owner is paused, and are called afterwards', async () => {
    await giveName({ kind: 'USER', keys: ['acme'], id: OWNER })
    setClock(NOON)
    const parked = await former({ due_list: 'PARKED' }, `PARKED#${OWNER}`)
    await pause(OWNER)
    await sweeps()
    expect(await getLead(parked)).toMatchObject({ due_list: 'HELD', held_by: `pause ${OWNER}`, attempts: 0 })
    await unpause(OWNER)
    await placeQueued()
    expect(await getLead(parked)).toMatchObject({ attempts: 1 })
  })

  it('an unreadable lead in the lists of an earlier version is left out, and the others are called', async () => {
    setClock(NOON)
    const id = await former({ due_list: 'CALL' }, 'CALL#2')
    await updateItem(leadKey(id), {
      UpdateExpression: 'SET #status = :none',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':none': 'NONE' },
    })
    const fine = await former({ due_list: 'CALL' }, 'CALL#2')
    await sweeps()
    expect(keysAsked()).toContain(`${fine}-1`)
  })
})
