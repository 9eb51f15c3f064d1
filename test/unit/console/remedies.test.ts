import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { REMEDIES } from '#shared/platform/values/remedies.ts'

const REFERENCE = readFileSync(new URL('../../../docs/reference/alarms.md', import.meta.url), 'utf8')

describe('the remedies of alarms', () => {
  it('the console tells what to do about every kind of alarm that the stacks have', () => {
    const sections = [...REFERENCE.matchAll(/^## `(?:…|\w+)\/([\w/]+)`\n\n(.+)$/gm)].map(([, name, remedy]) => [name, remedy])
    expect(sections.length).toBe(REFERENCE.match(/^## /gm)?.length)
    expect(Object.fromEntries(sections)).toEqual(REMEDIES)
  })
})
