import { describe, expect, it } from '@jest/globals'
import { presignGet, presignPut, put } from '#shared/platform/bucket/bucket.ts'
import { textOf } from '#test/support/bucket-engine.ts'
import { suiteBucket } from '#test/support/suite-world.ts'

const engine = suiteBucket()

const KEY = 'uploads/1/demo/4f0c/leads of today.csv'

describe('a presigned upload URL', () => {
  it('a presigned upload URL fixes neither the type of the file nor a checksum', async () => {
    const url = new URL(await presignPut(KEY))
    expect(decodeURIComponent(url.pathname)).toBe(`/uploads/${KEY}`)
    expect(url.searchParams.get('X-Amz-Expires')).toBe('3600')
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('host')
    expect(url.searchParams.get('X-Amz-Content-Sha256')).toBe('UNSIGNED-PAYLOAD')
    expect([...url.searchParams.keys()].filter((name) => /checksum|crc|type|length|md5/i.test(name))).toEqual([])
  })

  it('a presigned upload URL accepts a plain PUT, with or without a content type', async () => {
    const events: unknown[] = []
    engine().onObjectEvent((message) => events.push(message))
    const url = await presignPut(KEY)
    const plain = await fetch(url, { method: 'PUT', body: Buffer.from('a,b\n1,2\n') })
    expect(plain.status).toBe(200)
    expect(await textOf(KEY, { from: 0 })).toBe('a,b\n1,2\n')
    const typed = await fetch(url, { method: 'PUT', body: new Blob(['a,b\n3,4\n'], { type: 'text/csv' }) })
    expect(typed.status).toBe(200)
    expect(await textOf(KEY, { from: 4, until: 7 })).toBe('3,4')
    expect(events).toHaveLength(2)
  })
})

describe('an object', () => {
  it('an object in the bucket can be read from any byte and up to any byte', async () => {
    await put('x/y.csv', 'line,message\n', 'text/csv')
    expect(await textOf('x/y.csv', { from: 5 })).toBe('message\n')
    expect(await textOf('x/y.csv', { from: 13 })).toBe('')
    expect(await textOf('x/y.csv', { from: 400 })).toBe('')
    expect(await textOf('x/none.csv', { from: 0 })).toBeUndefined()
    expect(await textOf('x/y.csv', { from: 0, until: 4 })).toBe('line')
    await put('x/empty.csv', '', 'text/csv')
    expect(await textOf('x/empty.csv', { from: 0, until: 65_536 })).toBe('')
  })

  it('an object in the bucket is downloaded under the name that the URL gives it', async () => {
    await put('x/y.csv', 'line,message\n', 'text/csv; charset=utf-8')
    const answer = await fetch(await presignGet('x/y.csv', 'leads-rejected.csv'))
    expect(await answer.text()).toBe('line,message\n')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="leads-rejected.csv"')
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
  })

  it('the URL of a download stays the same for some minutes, and lasts an hour at least', async () => {
    const { now: machineNow } = Date
    const urlAt = async (time: string): Promise<URL> => {
      Date.now = () => Date.parse(time)
      return new URL(
        await presignGet('x/y.csv', 'a.csv').finally(() => {
          Date.now = machineNow
        }),
      )
    }
    const first = await urlAt('2026-11-20T16:00:00.000Z')
    expect(`${await urlAt('2026-11-20T16:04:59.999Z')}`).toBe(`${first}`)
    expect(`${await urlAt('2026-11-20T16:05:00.000Z')}`).not.toBe(`${first}`)
    expect(first.searchParams.get('X-Amz-Date')).toBe('20261120T160000Z')
    expect(Number(first.searchParams.get('X-Amz-Expires'))).toBe(3900)
  })
})
