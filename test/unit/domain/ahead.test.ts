import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { ahead } from '#shared/domain/ahead.ts'

/** Takes note of what becomes of items: numbers up to a last one, which comes, or fails. */
const observed = (last: number, lastFails = false) => {
  const notes: string[] = []
  const items = (async function* () {
    try {
      for (let item = 1; item <= last; item++) {
        notes.push(`${item} is asked for`)
        await turn()
        if (lastFails && item === last) throw new Error(`${item} fails`)
        yield item
      }
    } finally {
      notes.push('closed')
    }
  })()
  return { notes, items: ahead(items) }
}

describe('what is asked for ahead', () => {
  it('comes in its order, each asked for when the one before it comes', async () => {
    const { notes, items } = observed(3)
    for await (const item of items) notes.push(`${item} comes`)
    expect(notes).toEqual(['1 is asked for', '2 is asked for', '1 comes', '3 is asked for', '2 comes', 'closed', '3 comes'])
  })

  it('fails in its turn', async () => {
    const { notes, items } = observed(2, true)
    const all = async () => {
      for await (const item of items) {
        await turn()
        await turn()
        notes.push(`${item} is handled`)
      }
    }
    await expect(all()).rejects.toThrow('2 fails')
    expect(notes).toEqual(['1 is asked for', '2 is asked for', 'closed', '1 is handled'])
  })

  it('is not under way any more when whoever takes it ends, also when it fails', async () => {
    for (const lastFails of [false, true]) {
      const { notes, items } = observed(2, lastFails)
      for await (const item of items) {
        notes.push(`${item} comes`)
        break
      }
      expect(notes).toEqual(['1 is asked for', '2 is asked for', '1 comes', 'closed'])
    }
  })

  it('may be nothing', async () => {
    const { notes, items } = observed(0)
    expect(await items.next()).toEqual({ done: true, value: undefined })
    expect(notes).toEqual(['closed'])
  })
})
