import { beforeAll, describe, expect, it } from '@jest/globals'
import { KEY_PATTERNS } from '#lib/reference/hot-keys/key-patterns.ts'
import { OPERATIONS } from '#lib/reference/hot-keys/operations.ts'
import { KEY_UNITS, shareOfUnits } from '#lib/reference/hot-keys.ts'
import { countKeyUnits } from './hot-keys/run.ts'

type Counted = Awaited<ReturnType<typeof countKeyUnits>>

let counted: Counted
beforeAll(async () => {
  counted = await countKeyUnits()
})

/** Shared costs make a small difference. A difference that loads no key does not matter, such as another read of a setting. */
const SMALL = { units: 0.5, share: 0.01 } as const
const NONE = { read: 0, write: 0 }

describe('the reference of hot keys', () => {
  it.each(OPERATIONS)('the reference of hot keys states the units of each key: $name', (operation) => {
    const differing = KEY_PATTERNS.flatMap((pattern) => {
      const [is, was] = [counted[operation.name][pattern.name] ?? NONE, KEY_UNITS[operation.name]?.[pattern.name] ?? NONE]
      const isNear = (['read', 'write'] as const).every((kind) => {
        const more = Math.abs(is[kind] - was[kind])
        return more <= SMALL.units || shareOfUnits(more, pattern, operation, kind) <= SMALL.share
      })
      return isNear ? [] : [{ key: pattern.name, is, was }]
    })
    expect(differing).toEqual([])
  })
})
