import { expect, it } from '@jest/globals'
import * as v from 'valibot'
import { DryRun } from '#shared/leads/lead-writer.ts'
import type { Reads } from '#shared/leads/reads.ts'
import { MOST_REMEMBERED } from '#shared/leads/rules/remembered.ts'
import { Phone } from '#shared/stops/compliance.ts'
import { sampleLead } from '#test/support/samples.ts'

const EMPTY: Reads = {
  pointed: async () => ({ leads: [], guard: null }),
  person: async (owner, phone_number) => ({ owner, phone_number, leads: [], version: 0 }),
  phone: async () => v.parse(Phone, {}),
  leads: async () => new Map(),
}

it('a dry run forgets the oldest leads and stops beyond its limit', async () => {
  const dryRun = new DryRun()
  for (let index = 0; index <= MOST_REMEMBERED; index++) {
    const lead = sampleLead({ ...(await dryRun.newPosition()), phone_number: `+${index}` })
    await dryRun.write(async () => lead)
    await dryRun.stop(`+${index}`, `PHONE#${index}`, ['call'])
  }
  const { person, phone } = dryRun.over(EMPTY)
  const sizes = await Promise.all([0, 1, MOST_REMEMBERED].map(async (index) => (await person(1, `+${index}`)).leads.length))
  const stops = await Promise.all([0, 1, MOST_REMEMBERED].map(async (index) => (await phone(`PHONE#${index}`)).call_dnc))
  expect({ sizes, stops }).toEqual({ sizes: [0, 1, 1], stops: [false, true, true] })
})
