import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { packDisclosures } from '#lib/calling-rules/generate.ts'
import { dialOf } from '#shared/agents/rules/call-request.ts'
import { type Disclosure, mustSay, SAYINGS } from '#shared/calling/api/disclosure.ts'
import { disclosuresAt, possiblePlaces } from '#shared/calling/rules/duties/disclosures-at.ts'
import { DISCLOSURES } from '#shared/data/disclosures.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { zonesOfState } from '#shared/location/rules/state.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { NOON, sampleCall, sampleLead, sampleLeadType, samplePolicy } from '#test/support/samples.ts'
import { RULES } from './fixtures/calling-data.ts'
import { minuteOf } from './fixtures/changes.ts'
import { shown } from './fixtures/zones.ts'

const ROWS = RULES.duties.filter(({ say, enactment }) => say !== undefined && enactment === 'enacted')
/** States with a clock. */
const STATES = Object.keys(RULES.jurisdictions).filter((code) => zonesOfState(code).length > 0)

const demandedOf = (lead: Partial<Lead>, at: number): Disclosure[] => disclosuresAt(possiblePlaces(sampleLead(lead), samplePolicy()), at)
const placesIn = (disclosures: readonly Disclosure[]) => [...new Set(disclosures.map(({ jurisdiction }) => jurisdiction))]

/** The texts in force in a state on a date, read from the file without any code of the service. */
const expectedOn = (codes: readonly string[], date: string): string[] =>
  ROWS.filter(
    ({ jurisdiction, from, until }) =>
      ['federal', ...codes].includes(jurisdiction) && (from === null || from <= date) && (until === null || date < until),
  ).map(({ what }) => what)

const textsOf = (disclosures: readonly Disclosure[]) => disclosures.map(({ what }) => what).sort()

/** The first instant of each change in each zone of its state. */
const CHANGES = ROWS.flatMap(({ jurisdiction, from, until }) =>
  [from, until].flatMap((date) => (date === null ? [] : zonesOfState(jurisdiction).map((zone) => ({ code: jurisdiction, date, zone })))),
)

describe('the disclosures in the functions', () => {
  it('the disclosures in the functions match the file of the rules (npm run generate writes them)', () => {
    expect(DISCLOSURES).toEqual(packDisclosures(RULES))
    expect(DISCLOSURES).toHaveLength(ROWS.length)
  })

  it('the disclosures of one law follow one another without an overlap', () => {
    const dated = ROWS.filter(({ jurisdiction }) => ['CA', 'NY', 'UT'].includes(jurisdiction)).filter(({ from, until }) => from ?? until)
    expect(dated.map(({ jurisdiction, from, until }) => `${jurisdiction} ${from} ${until}`)).toEqual([
      'CA null 2025-01-01',
      'CA 2025-01-01 null',
      'UT 2024-05-01 2025-05-07',
      'UT 2025-05-07 null',
      'NY null 2017-08-25',
      'NY 2017-08-25 2023-03-06',
      'NY 2023-03-06 null',
    ])
  })
})

describe('what the agent must say', () => {
  it.each(CHANGES)('what the agent must say changes at local midnight: $code on $date in $zone', ({ code, date, zone }) => {
    const midnight = minuteOf(zone, date, 0)
    const lead = { us_state: code, metadata: { timezone: zone } }
    for (const at of [midnight - 24 * HOUR, midnight - 1, midnight, midnight + MINUTE])
      expect(textsOf(demandedOf(lead, at))).toEqual(expectedOn([code], shown(zone, at).date).sort())
    expect(textsOf(demandedOf(lead, midnight - 1))).not.toEqual(textsOf(demandedOf(lead, midnight)))
  })

  it('what the agent must say is the law of the state on the local day, at any time, in any zone', () => {
    const instants = fc.integer({ min: Date.parse('2019-01-01'), max: Date.parse('2028-01-01') })
    const placed = fc.constantFrom(...STATES).chain((code) => fc.tuple(fc.constant(code), fc.constantFrom(...zonesOfState(code))))
    fc.assert(
      fc.property(placed, instants, ([code, timezone], at) => {
        const found = demandedOf({ us_state: code, metadata: { timezone } }, at)
        expect(textsOf(found)).toEqual(expectedOn([code], shown(timezone, at).date).sort())
      }),
      { numRuns: 500 },
    )
  })

  it('what the agent must say around midnight is what either day demands, if the lead may have either clock', () => {
    // Oregon has two zones. In Boise's, the day begins an hour earlier.
    const oregon = { us_state: 'OR', metadata: {} }
    const both = minuteOf('America/Boise', '2026-01-01', 30)
    expect(textsOf(demandedOf(oregon, both))).toEqual(expectedOn(['OR'], '2026-01-01').sort())
    expect(textsOf(demandedOf(oregon, both - 60 * MINUTE))).toEqual(expectedOn(['OR'], '2025-12-31').sort())
  })

  it('what the agent must say covers every state with the clock of the lead, if nothing names its state', () => {
    const pacific = placesIn(demandedOf({ metadata: { timezone: 'America/Los_Angeles' } }, NOON))
    expect(pacific).toEqual(expect.arrayContaining(['federal', 'CA', 'NV', 'OR', 'WA']))
    expect(pacific).not.toContain('CT')
    for (const timezone of ['America/New_York', 'US/Eastern', 'EST'])
      expect(placesIn(demandedOf({ metadata: { timezone } }, NOON))).toEqual(expect.arrayContaining(['CT', 'MI']))
  })

  it('what the agent must say covers the state of the area code, if nothing but a clock tells where the lead is', () => {
    const lead = { phone_number: '+18605550101', metadata: { timezone: 'America/Los_Angeles' } }
    expect(placesIn(demandedOf(lead, NOON))).toEqual(expect.arrayContaining(['CA', 'CT']))
  })

  it('what the agent must say covers all states, if nothing names the place of the lead', () => {
    const everywhere = [...new Set(ROWS.map(({ jurisdiction }) => jurisdiction))].sort()
    for (const metadata of [{}, { timezone: 'America/Toronto' }])
      expect(placesIn(demandedOf({ metadata }, NOON)).sort()).toEqual(everywhere)
    expect(mustSay(demandedOf({ metadata: {} }, NOON))).toEqual({ say: SAYINGS, within_seconds: 10 })
  })

  it('what the agent must say abroad is what federal law demands', () => {
    const abroad = { phone_number: '+442071838750', metadata: { timezone: 'Europe/London' } }
    expect(placesIn(demandedOf(abroad, NOON))).toEqual(['federal'])
  })

  it('what the agent must say covers the state of the area code, while its law presumes that the phone is there', () => {
    const lead = { phone_number: '+13055550101', us_state: 'TN', metadata: {} }
    expect(placesIn(demandedOf(lead, Date.parse('2021-06-01T16:00:00Z')))).toEqual(['federal'])
    expect(placesIn(demandedOf(lead, NOON))).toEqual(['federal', 'FL'])
  })

  it('what the agent must say covers a place that the lead had before the agent collected another one', () => {
    const former_place = JSON.stringify({ us_state: 'WA', metadata: {}, next_call_time: null, attempts: 0 })
    expect(placesIn(demandedOf({ us_state: 'TN', metadata: {}, next_call_time: null, former_place }, NOON))).toEqual(['federal', 'WA'])
  })

  it('what the agent must say of several laws is the union, in the shortest time', () => {
    const some = (say: Disclosure['say'], within_seconds: number | null): Disclosure => ({
      ...{ jurisdiction: 'XX', say, within_seconds, what: '', citations: [] },
    })
    expect(mustSay([])).toEqual({ say: [], within_seconds: null })
    expect(mustSay([some(['recording'], null)])).toEqual({ say: ['recording'], within_seconds: null })
    expect(mustSay([some(['recording', 'name'], 60), some(['name'], 30), some(['automated_voice'], null)])).toEqual({
      ...{ say: ['automated_voice', 'name', 'recording'], within_seconds: 30 },
    })
  })
})

describe('the variables for an assistant on a platform', () => {
  const platform = {
    name: 'vapi',
    assistant: 'a',
    from: [],
    settings: {},
    credentials: '',
    credentials_hash: '',
    longest_call_seconds: 600,
  }
  const agent = { id: 'voice', url: 'https://x.example', secrets: [], platform }
  const variablesOf = (metadata: Record<string, unknown>) => {
    const lead = sampleLead({ us_state: 'CT', metadata })
    const disclosures = demandedOf(lead, NOON)
    const world = { call: sampleCall(), lead, leadType: sampleLeadType({ script: 'Hello.' }), disclosures }
    return dialOf(agent, { ...world, baseUrl: 'https://x.example', platformBaseUrl: '' }).variables
  }

  it('the variables for an assistant begin with what it must say, whole, whatever the metadata is', () => {
    const keys = fc.oneof(fc.constantFrom('disclosures', 'must_say', 'script'), fc.string({ maxLength: 8 }))
    fc.assert(
      fc.property(fc.dictionary(keys, fc.string({ maxLength: 1200 }), { maxKeys: 150, size: 'max' }), (metadata) => {
        const { disclosures, must_say, script, ...rest } = variablesOf(metadata)
        expect(must_say).toBe('name, company, purpose, callback_number, opt_out, recording')
        expect(disclosures).toMatch(/^Give your name\. .* Say all of this in the first 10 seconds of the conversation\.$/)
        expect(script).toBe('Hello.')
        expect(Object.keys(rest).length).toBeLessThanOrEqual(97)
      }),
      { numRuns: 50 },
    )
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key${index}`, 'x'.repeat(2000)]))
    expect(Object.keys(variablesOf(many)).slice(0, 2)).toEqual(['disclosures', 'must_say'])
    expect(Object.keys(variablesOf(many))).toHaveLength(100)
  })

  it('the variable with all sentences is short', () => {
    const lead = sampleLead({ metadata: {} })
    const world = { call: sampleCall(), lead, leadType: sampleLeadType(), disclosures: demandedOf(lead, NOON) }
    const { variables } = dialOf(agent, { ...world, baseUrl: 'https://x.example', platformBaseUrl: '' })
    expect(variables['disclosures']!.length).toBeLessThan(500)
  })
})
