import { describe, expect, it } from '@jest/globals'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { explained } from '#test/support/explained.ts'
import { created, patch } from '#test/support/lead-requests.ts'

const { world, queued, place, inCall } = callWorld()

const asked = () => world().agent.requests.map(({ body }) => JSON.parse(body))

describe('the request to the agent', () => {
  it('the request to the agent tells what the law of the lead’s state demands to say, with citations', async () => {
    await inCall({ us_state: 'CT', timezone: 'America/New_York' })
    const [{ disclosures }] = asked()
    expect([...new Set(disclosures.map(({ jurisdiction }: { jurisdiction: string }) => jurisdiction))]).toEqual(['federal', 'CT'])
    expect(disclosures).toContainEqual({
      jurisdiction: 'CT',
      say: ['name', 'company', 'purpose', 'opt_out'],
      within_seconds: 10,
      what: expect.stringContaining('Within ten seconds'),
      citations: ['Conn. Gen. Stat. 42-288a'],
    })
  })

  it.each([
    { date: '2025-09-22', jurisdictions: ['federal'] },
    { date: '2025-09-23', jurisdictions: ['federal', 'ME'] },
  ])('the request to the agent goes by the local day of the call: Maine on $date', async ({ date, jurisdictions }) => {
    setClock(Date.parse(`${date}T15:00:00Z`))
    await inCall({ us_state: 'ME', timezone: 'America/New_York' })
    const [{ disclosures }] = asked()
    expect([...new Set(disclosures.map(({ jurisdiction }: { jurisdiction: string }) => jurisdiction))]).toEqual(jurisdictions)
  })
})

describe('an explanation', () => {
  it('an explanation lists what the agent must say', async () => {
    const { id } = await created({ us_state: 'TX', timezone: 'America/Chicago' })
    await place(await queued())
    const { disclosures } = await explained(id, { disclosures: 'true' })
    expect(disclosures).toEqual(asked()[0].disclosures)
    await patch(id, { us_state: 'WA' })
    expect((await explained(id, { disclosures: 'true' })).disclosures).not.toEqual(disclosures)
  })
})
