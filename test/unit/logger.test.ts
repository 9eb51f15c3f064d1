import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { loggable, logger } from '#shared/platform/logger.ts'
import { captureLog } from '#test/support/captured-log.ts'

const PHONE = '+12125550101'

const lines = captureLog()
const logged = () => JSON.parse(lines.join(''))

describe('a log line', () => {
  it('a log line masks phone numbers, email addresses and keys', () => {
    const error = new Error(`no answer of ann@doe.com at ${PHONE}`, { cause: new Error('Token lok_0123456789') })
    logger.warn(`It said ${PHONE}.`, { reason: 'call (212) 555-0101', error: loggable(error) })
    expect(logged()).toMatchObject({
      message: 'It said ***01.',
      reason: 'call ***01',
      error: { message: 'no answer of a***@d***.com at ***01', cause: { message: 'Token lok_***' } },
    })
  })

  it('a log line tells where a value failed its schema, but not the value', () => {
    const parse = () => v.parse(v.object({ name: v.literal('Ann') }), { name: 'Bob Secret' })
    expect(parse).toThrow('Bob Secret')
    try {
      parse()
    } catch (error) {
      const parts = new AggregateError([error, 'Bob Secret', Object.assign(new Error(), { stack: 'Error: Bob Secret' })])
      logger.error('It failed.', { error: loggable(new Error('x', { cause: parts })) })
    }
    const { errors } = logged().error.cause
    expect(errors).toEqual([
      expect.objectContaining({ name: 'ValiError', message: 'Unexpected shape: name.', paths: ['name'] }),
      { name: 'NotAnError', type: 'string' },
      { name: 'Error', message: '', stack: '' },
    ])
    expect(lines.join('')).not.toContain('Bob Secret')
  })
})
