import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { guardedRequest } from '#shared/platform/safe-fetch/guarded-request.ts'
import { isHostOf, isPublicAddress } from '#shared/platform/safe-fetch/public-addresses.ts'
import { sendWebhook } from '#shared/webhooks/webhook-sender.ts'

/** Listens where most forbidden addresses lead, and records connections. */
let canary: Server
let port = 0
const arrived: Socket[] = []

beforeAll(async () => {
  process.env['PRIVATE_WEBHOOK_HOSTS'] = ''
  canary = createServer((socket) => {
    arrived.push(socket)
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  port = (canary.address() as { port: number }).port
})
beforeEach(() => {
  arrived.length = 0
})
afterAll(() => {
  canary.close()
})

const REFUSED = 'The address of the destination is not public.'
const webhook = (url: string) =>
  sendWebhook({ url, method: 'POST', eventId: 'e', payload: '{}', secrets: [`whsec_${Buffer.from('secret').toString('base64')}`] })

const HOSTS: readonly (readonly [kind: string, ...hosts: string[]])[] = [
  ['loopback', '127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '127.0.0.1.', '127.1.'],
  ['loopback in decimal', '2130706433', '2130706433.', '2130706432'],
  ['loopback in octal', '0177.0.0.1', '0177.1', '017700000001', '0000177.0.0.01', '00000000177.0x0.0.1'],
  ['loopback in hexadecimal', '0x7f.0.0.1', '0x7f.1', '0x7f000001', '0X7F000001', '0x7f.0x0.0x0.0x1'],
  ['loopback in other digits', '１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '0x7f%2e1'],
  ['loopback of IPv6', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0.0.0.1]'],
  ['this host', '0.0.0.0', '0', '0x0', '0.0', '[::]', '[0::0]', '0.255.255.255'],
  ['IPv4-mapped', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:FFFF:7F00:0001]', '[::ffff:169.254.169.254]', '[::ffff:10.0.0.1]'],
  ['IPv4-compatible and -translated', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]'],
  ['6to4', '[2002:7f00:1::]', '[2002:7f00:0001::1]', '[2002:a9fe:a9fe::]', '[2002:a00:1::1]'],
  ['NAT64', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::7f00:1]'],
  ['Teredo', '[2001::7f00:1]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
  ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '167772161', '0xa.1', '012.1'],
  ['carrier-grade NAT', '100.64.0.1', '100.127.255.255', '100.100.100.200', '0144.0100.0.1'],
  ['link-local', '169.254.0.1', '[fe80::1]', '[febf::1]', '[fec0::1]'],
  ['metadata', '169.254.169.254', '169.254.169.254.', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '[fd00:ec2::254]', '192.0.0.192'],
  ['metadata of containers, names and time', '169.254.170.2', '169.254.170.23', '169.254.169.253', '169.254.169.123', '[fd00:ec2::23]'],
  ['the platform', '168.63.129.16'],
  ['a runtime interface', '127.0.0.1', '169.254.100.1', 'localhost', 'sandbox.localdomain'],
  ['unique local', '[fc00::1]', '[fd12:3456:789a::1]'],
  ['multicast', '224.0.0.1', '239.255.255.250', '[ff02::1]', '[ff0e::1]', '0xe0000001'],
  ['broadcast and reserved', '255.255.255.255', '4294967295', '240.0.0.1', '[100::1]', '[4000::1]', '[5f00::1]'],
  ['protocols, benchmarks, documentation', '192.0.0.1', '198.18.0.1', '198.19.255.255', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
  ['protocols, benchmarks, documentation of IPv6', '[2001:db8::1]', '[3fff::1]', '[2001:2::1]', '[2001:20::1]', '[2001:10::1]'],
  ['anycast relays', '192.88.99.1', '192.31.196.1', '192.175.48.1', '192.52.193.1', '[2620:4f:8000::1]'],
  ['names of this host', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ip6-localhost', 'localhost.localdomain'],
]

const isName = (host: string) => /^(?=.*[g-z])[a-z.0-9-]+$/i.test(host) && !/^0x/i.test(host)
const literals = HOSTS.flatMap(([kind, ...hosts]) => hosts.filter((host) => !isName(host)).map((host) => [host, kind] as const))
const names = HOSTS.flatMap(([, ...hosts]) => hosts.filter(isName))

/** Sends as deliveries do, but with the test's DNS. A socket bound to loopback cannot leave the machine. */
const reach = async (host: string, resolve: (name: string) => Promise<readonly string[]>, { protocol = 'http:', allowed = '' } = {}) => {
  const url = new URL(`${protocol}//${host}:${port}/`)
  const request = { url, method: 'GET' as const, headers: {}, body: '', signal: AbortSignal.timeout(1_000), localAddress: '127.0.0.1' }
  try {
    const answer = await guardedRequest(request, { isExempt: url.hostname === allowed, resolve })
    return `${answer.resume().statusCode}`
  } catch (error) {
    return (error as Error).name
  }
}

it('the SSRF table has at least 100 addresses and spellings', () => {
  expect(new Set([...literals.map(([host]) => host), ...names]).size).toBeGreaterThanOrEqual(100)
})

describe('the SSRF guard', () => {
  it.each(literals)('the SSRF guard refuses %s (%s)', async (host) => {
    expect(await webhook(`http://${host}:${port}/`)).toMatchObject({ status_code: null, error: REFUSED, hopeless: false })
    expect(await webhook(`https://${host}:${port}/`)).toMatchObject({ status_code: null, error: REFUSED })
    expect(arrived).toHaveLength(0)
  })

  it.each([...new Set(names)])('the SSRF guard refuses the name %s when it resolves to loopback', async (name) => {
    expect(await reach(name, async () => ['127.0.0.1'])).toBe('RefusedAddress')
    expect(await reach(name, async () => ['::1'], { protocol: 'https:' })).toBe('RefusedAddress')
    expect(arrived).toHaveLength(0)
  })

  it.each(HOSTS)('the SSRF guard counts none of these as public: %s', (_, ...hosts) => {
    expect(hosts.filter((host) => isPublicAddress(host.replace(/[[\]]/g, '')))).toEqual([])
  })

  it.each([
    ['an address of a name that is not public', ['127.0.0.1']],
    ['a name with a public and another address', ['8.8.8.8', '127.0.0.1']],
    ['a name with another address after many', [...Array.from({ length: 20 }, (_, index) => `8.8.8.${index}`), '::ffff:127.0.0.1']],
    ['a name with an address in decimal', ['2130706433']],
    ['a name whose address has a zone', ['fe80::1%lo']],
    ['a name whose address is invalid', ['localhost']],
    ['a name without an address', []],
  ])('the SSRF guard refuses %s', async (_, addresses) => {
    for (const protocol of ['http:', 'https:']) {
      expect(await reach('inside.example', async () => addresses, { protocol })).toBe('RefusedAddress')
    }
    expect(arrived).toHaveLength(0)
  })

  it('the SSRF guard resolves a name once per connection, so it cannot change to loopback after the check', async () => {
    let asked = 0
    const rebinding = async () => (asked++ === 0 ? ['8.8.8.8'] : ['127.0.0.1'])
    expect(await reach('rebinding.example', rebinding)).not.toMatch(/^\d+$/)
    expect(asked).toBe(1)
    expect(await reach('rebinding.example', rebinding)).toBe('RefusedAddress')
    expect(arrived).toHaveLength(0)
  })

  it('the SSRF guard does not connect when the addresses of a name change during the check', async () => {
    let read = 0
    const changing = new Proxy(['8.8.8.8'], { get: (list, key) => (key === '0' && read++ > 0 ? '127.0.0.1' : Reflect.get(list, key)) })
    expect(await reach('changing.example', async () => changing)).not.toMatch(/^\d+$/)
    expect(arrived).toHaveLength(0)
  })
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('a redirect is not followed when %i points to loopback', async (status) => {
    const asked: string[] = []
    const { createServer: createHttp } = await import('node:http')
    const sender = createHttp((incoming, response) => {
      asked.push(incoming.url ?? '')
      response.writeHead(status, { location: `http://127.0.0.1:${port}/inside` }).end()
    })
    await new Promise<void>((resolve) => sender.listen(0, '127.0.0.1', resolve))
    process.env['PRIVATE_WEBHOOK_HOSTS'] = 'localhost'
    const answer = await webhook(`http://localhost:${(sender.address() as { port: number }).port}/`)
    process.env['PRIVATE_WEBHOOK_HOSTS'] = ''
    sender.close()
    expect(answer).toMatchObject({ status_code: status, error: `Redirects are not followed (${status}).` })
    expect(asked).toEqual(['/'])
    expect(arrived).toHaveLength(0)
  })
})

describe('a private host that the deployment allows', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1', true],
    ['127.0.0.1', 'http://2130706433', true],
    ['127.0.0.1', 'http://0x7f.1', true],
    ['localhost', 'http://localhost', true],
    ['localhost', 'http://127.0.0.1', false],
    ['127.0.0.1', 'http://127.0.0.2', false],
    ['127.0.0.1:PORT', 'http://127.0.0.1', true],
    ['127.0.0.1:1', 'http://127.0.0.1', false],
    ['127.0.0.1:80', 'http://127.0.0.1', false],
  ])('a private host that the deployment allows matches by host and port: %s, %s, reached: %s', async (allowed, url, isReached) => {
    process.env['PRIVATE_WEBHOOK_HOSTS'] = allowed.replace('PORT', `${port}`)
    const { status_code } = await webhook(`${url}:${port}/`)
    process.env['PRIVATE_WEBHOOK_HOSTS'] = ''
    expect([status_code, arrived.length]).toEqual(isReached ? [200, 1] : [null, 0])
  })

  it('a private host that is allowed for voice agents only is closed to webhooks', async () => {
    process.env['PRIVATE_AGENT_HOSTS'] = '127.0.0.1'
    const { error } = await webhook(`http://127.0.0.1:${port}/`)
    delete process.env['PRIVATE_AGENT_HOSTS']
    expect([error, arrived.length]).toEqual([REFUSED, 0])
  })

  it('a private host that the deployment allows may name the default port of a URL without a port', () => {
    const matches = (host: string, url: string) => isHostOf([host], new URL(url))
    expect([matches('a.internal:443', 'https://a.internal/'), matches('a.internal:80', 'http://a.internal/')]).toEqual([true, true])
    expect([matches('a.internal:443', 'http://a.internal/'), matches('[fd00::1]:8443', 'https://[fd00::1]:8443/')]).toEqual([false, true])
  })

  it.each([
    ['inside.example', 'inside.example.'],
    ['inside.example', 'an.inside.example'],
    ['127.0.0.1', '127.0.0.1.inside.example'],
  ])('a private host that the deployment allows does not open a similar name: %s, %s', async (allowed, host) => {
    expect(await reach(host, async () => ['127.0.0.1'], { allowed })).toBe('RefusedAddress')
    expect(arrived).toHaveLength(0)
  })

  it('a private host that the deployment allows may be an IPv6 address only in brackets', async () => {
    const errors: (string | null)[] = []
    for (const allowed of ['::1', '[::1]']) {
      process.env['PRIVATE_WEBHOOK_HOSTS'] = allowed
      errors.push((await webhook(`http://[::1]:${port}/`)).error)
    }
    process.env['PRIVATE_WEBHOOK_HOSTS'] = ''
    expect(errors).toEqual([REFUSED, expect.stringMatching(/^The request failed: /)])
  })
})
