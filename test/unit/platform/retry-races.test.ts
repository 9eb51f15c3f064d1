import { describe, expect, it } from '@jest/globals'
import { retryRaces } from '#shared/platform/table/retry-races.ts'

const races = { tries: 3, lost: 'It was written meanwhile,' }

describe('races', () => {
  it('races are retried until one is won, and return its result', async () => {
    const results = [undefined, undefined, { won: true }]
    expect(await retryRaces(races, async () => results.shift())).toEqual({ won: true })
    expect(results).toEqual([])
  })

  it('races end with an error when all are lost', async () => {
    let run = 0
    const lose = async () => {
      run++
      return undefined
    }
    await expect(retryRaces(races, lose)).rejects.toThrow('It was written meanwhile, 3 times.')
    expect(run).toBe(3)
  })

  it('races end at once when a try throws', async () => {
    let run = 0
    const fail = async () => {
      run++
      throw new Error('no')
    }
    await expect(retryRaces(races, fail)).rejects.toThrow('no')
    expect(run).toBe(1)
  })

  it.each([null, false, 0, ''])('races are won by any result other than undefined: %j', async (result) => {
    expect(await retryRaces(races, async () => result)).toBe(result)
  })
})
