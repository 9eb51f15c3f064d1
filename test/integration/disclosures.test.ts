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

  it.each([
    { us_state: 'CT', before: '2023-09-30', since: '2023-10-01', say: ['name', 'company', 'purpose', 'opt_out'] },
    { us_state: 'ME', before: '2025-09-22', since: '2025-09-23', say: ['automated_voice'] },
    { us_state: 'OR', before: '2025-12-31', since: '2026-01-01', say: ['opt_out'] },
  ])('an explanation lists a duty of $us_state from its first day on, $since', async ({ us_state, before, since, say }) => {
    const { id } = await created({ us_state })
    const saidOn = async (day: string) => {
      const { at, disclosures } = await explained(id, { disclosures: 'true', at: `${day}T18:00:00Z` })
      expect(at).toContain(day)
      type Duty = { readonly jurisdiction: string; readonly say: readonly string[] }
      return disclosures.flatMap((duty: Duty) => (duty.jurisdiction === us_state ? [duty.say] : []))
    }
    expect(await saidOn(before)).not.toContainEqual(say)
    expect(await saidOn(since)).toContainEqual(say)
  })
})
