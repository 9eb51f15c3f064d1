import { describe, expect, it } from '@jest/globals'
import { failedIdentifiers } from '#lib/local/events/batch-response.ts'

const batch = ['a', 'b', 'c']

describe('a partial batch response', () => {
  it('a partial batch response names the failed items', () => {
    expect(failedIdentifiers({ batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'c' }] }, batch)).toEqual(new Set(['b', 'c']))
  })

  it.each([[null], [undefined], [{}], [{ batchItemFailures: [] }], [{ batchItemFailures: null }]])(
    'a batch response reports success as %j',
    (payload) => {
      expect(failedIdentifiers(payload, batch)).toEqual(new Set())
    },
  )

  it.each([
    ['ok'],
    [{ batchItemFailures: 'b' }],
    [{ batchItemFailures: [{ itemIdentifier: '' }] }],
    [{ batchItemFailures: [{ itemIdentifier: null }] }],
    [{ batchItemFailures: [{ id: 'b' }] }],
    [{ batchItemFailures: [{ itemIdentifier: 'z' }] }],
  ])('a batch response fails the whole batch as %j', (payload) => expect(failedIdentifiers(payload, batch)).toBeUndefined())
})
