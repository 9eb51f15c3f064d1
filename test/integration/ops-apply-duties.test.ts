import { describe, expect, it } from '@jest/globals'
import { opsWorld } from '#test/support/ops-world.ts'

const { tool } = opsWorld()

describe('a lead type that does not demand what a law demands', () => {
  const typed = (settings: string) =>
    `users: [{ key: lawful, name: Lawful, lead_types: [{ key: roofs, name: Roofs, agent: simulator${settings} }] }]`
  const warnings = async (settings = '') => {
    const { code, out } = await tool().apply(typed(settings), ['--dry-run'])
    expect(code).toBe(0)
    return out.split('\n').filter((line) => line.startsWith('Warning: '))
  }
  const CONSENT_IN_CT =
    'Warning: Connecticut (CT): Telephonic sales calls need prior express written consent. Conn. Gen. Stat. 42-288a. ' +
    'The service does not check this for lawful/roofs. To have it checked, add to the lead type: consent_by_state: { CT: written }'
  const NUMBERS_IN_ME = expect.stringMatching(
    /^Warning: Maine \(ME\): .* 10 M\.R\.S\. 1499-B\. .* add to the lead type: reassigned_numbers: \{ where: law \}$/,
  )

  it('apply warns of a consent and of a check of the number that laws in force demand, but not of laws that are not in force', async () => {
    const found = await warnings()
    expect(found).toEqual(expect.arrayContaining([CONSENT_IN_CT, NUMBERS_IN_ME]))
    expect(found.filter((line) => line.includes('(FL)'))).toEqual([expect.stringContaining('as amended by HB 761 (2023)')])
    expect(found.filter((line) => line.includes('47 U.S.C. 227(b)(1)'))).toEqual([
      expect.stringMatching(/^Warning: United States: .* add to the lead type: consent_type: written$/),
    ])
    expect(found.join()).not.toContain('(MI)')
  })

  it.each([', consent_by_state: { CT: written_seller }', ', consent_type: written', ', consent_field: proof'])(
    'apply does not warn of a consent that the lead type demands: %s',
    async (settings) => {
      const found = await warnings(settings)
      expect(found).not.toContain(CONSENT_IN_CT)
      expect(found).toContainEqual(NUMBERS_IN_ME)
    },
  )

  it('apply warns when the demanded consent is weaker than the law demands', async () => {
    expect(await warnings(', consent_by_state: { CT: oral }')).toContain(CONSENT_IN_CT)
  })

  it.each([
    ['does not say how long a relationship lasts, and warns of the default', ', relationship_field: bought', 1],
    ['says that a relationship lasts 540 days, and does not warn', ', relationship_field: bought, relationship_days: 540', 0],
    ['says that a relationship lasts 90 days, and does not warn', ', relationship_field: bought, relationship_days: 90', 0],
  ])('apply takes a lead type that %s', async (_, more, count) => {
    const registries = `, registries: { lists: [national], exemption: relationship${more} }`
    const found = (await warnings(registries)).filter((line) => line.includes('relationship_days'))
    const text =
      'Warning: Without relationship_days, lawful/roofs calls listed numbers for 540 days, as after a purchase: 47 CFR 64.1200(f)(5). ' +
      'If relationship_field can be the day of an inquiry, add to registries: relationship_days: 90'
    expect(found).toEqual(count === 1 ? [text] : [])
  })

  it('apply does not warn of a relationship that exempts nobody', async () => {
    expect((await warnings(', registries: { lists: [national] }')).join()).not.toContain('relationship_days')
  })

  it('apply warns of nothing when the lead type demands all, or is not active', async () => {
    expect(await warnings(', consent_type: written, reassigned_numbers: { where: law }')).toEqual([])
    expect(await warnings(', active: false')).toEqual([])
  })
})
