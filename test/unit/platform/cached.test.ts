import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { cached } from '#shared/platform/table/cached.ts'

afterEach(() => {
  jest.restoreAllMocks()
})

describe('a cache of the configuration', () => {
  it('a value is loaded again as soon as its time is over, counted from the begin of its load', async () => {
    let machineTime = 1_000_000
    jest.spyOn(Date, 'now').mockImplementation(() => machineTime)
    let stored = 'old'
    const get = cached(async () => {
      const read = stored
      // The value changes while its slow answer is on the way.
      stored = 'new'
      machineTime += 4000
      return read
    })
    expect(await get('key')).toBe('old')
    machineTime += 5000
    expect(await get('key')).toBe('old')
    machineTime += 1000
    expect(await get('key')).toBe('new')
  })
})
