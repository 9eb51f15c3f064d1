import { expect, it } from '@jest/globals'
import { callingRulesPage } from '#lib/reference/calling-rules.ts'

it('the page of calling rules lists the known changes to come among the texts that are expected to change', () => {
  const [, list = ''] = /expected to change:\n([\s\S]*?)\n## /.exec(callingRulesPage()) ?? []
  for (const line of [
    /^- United States, from 2027-01-31 on: A revocation in reply/m,
    /^- Utah \(UT\), from 2027-01-01 on: holidays added: Election Day/m,
    /^- Michigan \(MI\), not law yet: Senate Bill 351/m,
    /^- Alabama \(AL\): /m,
  ])
    expect(list).toMatch(line)
  expect(list).not.toContain('2026-10-18')
})
