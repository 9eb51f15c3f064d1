import { expect, it } from '@jest/globals'
import { PLATFORM_NAMES } from '#shared/agents/platforms/adapters.ts'
import { CHECKS } from '#shared/agents/platforms/checks.ts'

it('every platform that an operator can name has a check', () => {
  expect(Object.keys(CHECKS)).toEqual(PLATFORM_NAMES)
})
