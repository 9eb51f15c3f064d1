import { ResourceNotFoundException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { RaceLostError, UnavailableError } from '#shared/platform/transient-errors.ts'
import { isTransient } from '#shared/uploads/ingest/failures.ts'

const about = { message: 'No.', $metadata: {} }
const coded = (code: string, more = {}) => Object.assign(new Error('No.'), { code, ...more })
const cancelled = (Code: string) => new TransactionCanceledException({ ...about, CancellationReasons: [{ Code: 'None' }, { Code }] })

describe('an error that fails a row', () => {
  it.each([
    ['a lost race', new RaceLostError('No.')],
    ['a failed part of a batch', new UnavailableError('No.')],
    ['a failure of an engine', new ResourceNotFoundException(about)],
    ['a failed transaction', cancelled('ItemCollectionSizeLimitExceeded')],
    ['a broken connection', coded('ECONNRESET')],
    ['a name that is not resolved', coded('EAI_AGAIN')],
    ['an answer that breaks off', coded('ERR_STREAM_PREMATURE_CLOSE')],
    ['a timeout', Object.assign(new Error('No.'), { name: 'TimeoutError' })],
    ['an error caused by a temporary one', new Error('No.', { cause: coded('ENOTFOUND') })],
  ])('an error that fails a row is temporary: %s', (_, error) => expect(isTransient(error)).toBe(true))

  it.each([
    ['a plain error', new Error('No.')],
    ['an argument of a wrong kind', coded('ERR_INVALID_ARG_TYPE')],
    ['a header that cannot be sent', coded('ERR_INVALID_CHAR', { $metadata: { attempts: 1 } })],
    ['a malformed URI', new URIError('No.')],
    ['an item that the table refuses', cancelled('ValidationError')],
    ['a value that is no error', 'No.'],
  ])('an error that fails a row is permanent: %s', (_, error) => expect(isTransient(error)).toBe(false))
})
