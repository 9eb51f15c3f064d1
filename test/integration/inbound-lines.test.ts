import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLines, releaseLine, seeAllLines } from '#shared/calling/line-store.ts'
import { lineGroupKey } from '#shared/platform/keys.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OTHER_KEY } from '#test/support/world.ts'

const { place, queued, ring } = callWorld()
const NUMBER = '+12125550191'
const OTHER = { id: 2, name: 'Other', default_lead_type: 4, dnc_group: '2', throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 } }

beforeAll(async () => {
  await saveUser({ ...OTHER, lines: 100, webhook_secrets: [] })
  await saveLeadType(sampleLeadType({ id: 6, owner: OTHER.id, inbound_numbers: [NUMBER] }))
})

const callsOf = (group: number, count: number) =>
  new Set(Array.from({ length: count }, (_, call) => `${30_000_000 + group * 100 + call}-1`))
const inUse = async () => (await seeAllLines({ id: OTHER.id, lines: 0 }, await getLines(OTHER.id))).inUse
const placeNew = async (): Promise<number> => {
  const { id } = await created({}, OTHER_KEY)
  await place((await queued()).filter(({ lead_id }) => lead_id === id))
  return id
}

describe('an inbound call', () => {
  it('an inbound call that loses the last line to a dial is beyond the limit in the first group, where dials see it', async () => {
    // The free line is in the second group of three.
    await batchPut([40, 39, 20].map((count, group) => ({ ...lineGroupKey(OTHER.id, group), calls: callsOf(group, count), groups: 3 })))
    let lead: number | undefined
    const { status, body } = await beforeEachSend(
      async (command) => {
        if (lead !== undefined || !(command instanceof TransactWriteCommand) || !JSON.stringify(command.input).includes('INBOUNDCALL#'))
          return
        lead = 0
        lead = await placeNew()
      },
      () => ring(newPhone(), NUMBER),
    )
    expect(status).toBe(201)
    expect([await getCall(`${lead}-1`), await getCall(body.call_id)].map((call) => call?.line_group)).toEqual([1, null])
    expect(await inUse()).toBe(101)
    // A call of the first group ends. As many calls as lines are left, so no dial starts a call.
    await releaseLine({ owner: OTHER.id, call_id: '30000000-1', line_group: null })
    for (let dial = 0; dial < 10; dial++) await placeNew()
    expect(await inUse()).toBe(100)
  })
})
