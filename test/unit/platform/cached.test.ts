import { describe, expect, it } from '@jest/globals'
import { cached, useCacheClock } from '#shared/platform/table/cached.ts'

describe('a cache of the configuration', () => {
  it('a value is loaded again as soon as its time is over, counted from the begin of its load', async () => {
    let time = 1_000_000
    useCacheClock(() => time)
    let stored = 'old'
    const get = cached(async () => {
      const read = stored
      // The value changes while its slow answer is on the way.
      stored = 'new'
      time += 4000
      return read
    })
    expect(await get('key')).toBe('old')
    time += 5000
    expect(await get('key')).toBe('old')
    time += 1000
    expect(await get('key')).toBe('new')
  })

  it('a value is loaded again after the clock was set back', async () => {
    let time = 1_000_000
    useCacheClock(() => time)
    let stored = 'old'
    const get = cached(async () => stored)
    expect(await get('key')).toBe('old')
    stored = 'new'
    expect(await get('key')).toBe('old')
    time -= 1
    expect(await get('key')).toBe('new')
  })
})
