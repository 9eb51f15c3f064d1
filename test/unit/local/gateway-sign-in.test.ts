import { request as httpRequest } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { createSignIn } from '#lib/local/gateway/sign-in.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { serve } from '#test/support/gateway.ts'

const KEY = 'lok_demo'

const served = async (now?: () => number) => {
  const { code, answer } = createSignIn(KEY, now)
  const { url } = await serve({ statusCode: 404, body: '{"detail":"Not found."}' }, { beside: answer })
  const exchange = async (body: string, method = 'POST') => {
    const reply = await fetch(`${url}/local/sign-in`, { method, ...(method === 'POST' && { body }) })
    return { status: reply.status, text: await reply.text(), cache: reply.headers.get('cache-control') }
  }
  return { code, exchange, url }
}

describe('the link that signs in at the local service', () => {
  it('the code of the local link is exchanged once for the key', async () => {
    const { code, exchange } = await served()
    expect(code.length).toBeGreaterThanOrEqual(32)
    expect(await exchange(code)).toEqual({ status: 200, text: KEY, cache: 'no-store' })
    expect(await exchange(code)).toMatchObject({ status: 403, text: 'This code was used before, or is too old.' })
  })

  it('the code of the local link works until an hour has passed', async () => {
    let now = 0
    const early = await served(() => now)
    const late = await served(() => now)
    now = HOUR - 1
    expect(await early.exchange(early.code)).toMatchObject({ status: 200 })
    now = HOUR
    expect(await late.exchange(late.code)).toMatchObject({ status: 403 })
  })

  it.each(['', 'x', 'x'.repeat(32), 'x'.repeat(5000)])(
    'a wrong code such as %# gets no key, and does not use up the right one',
    async (wrong) => {
      const { code, exchange } = await served()
      expect(await exchange(wrong)).toMatchObject({ status: 403 })
      expect(await exchange(code)).toMatchObject({ status: 200 })
    },
  )

  it('two exchanges at once give the key only to one', async () => {
    const { code, exchange } = await served()
    const statuses = (await Promise.all([exchange(code), exchange(code), exchange(code)])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 403, 403])
  })

  it('the address of the exchange answers only to POST, and only under a name of this machine', async () => {
    const { code, exchange, url } = await served()
    expect((await exchange(code, 'GET')).status).toBe(403)
    const foreign = await new Promise<string | undefined>((resolve, reject) => {
      const request = httpRequest(`${url}/local/sign-in`, { method: 'POST', headers: { host: 'evil.example.com' } }, (response) => {
        let text = ''
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve(text))
      })
      request.on('error', reject).end(code)
    })
    expect(foreign).not.toContain(KEY)
    expect(await exchange(code)).toMatchObject({ status: 200 })
  })
})
