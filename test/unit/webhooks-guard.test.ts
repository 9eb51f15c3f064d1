import { describe, expect, it } from '@jest/globals'
import { guardedConnector } from '#shared/adapters/guarded-connector.ts'
import { isPublicAddress, RefusedAddress } from '#shared/adapters/public-addresses.ts'
import { startReceiver } from '#test/support/receiver.ts'

const REFUSED: [string, string][] = [
  ['127.0.0.1', 'loopback'],
  ['127.255.0.9', 'loopback'],
  ['0.0.0.0', 'this host'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'container credentials'],
  ['192.0.0.192', 'protocol assignments'],
  ['198.18.0.1', 'benchmarking'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::1', 'loopback'],
  ['::', 'this host'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['fd00:ec2::254', 'metadata'],
  ['ff02::1', 'multicast'],
  ['fec0::1', 'site-local'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:a9fe:a9fe', 'IPv4-mapped metadata'],
  ['::7f00:1', 'IPv4-compatible'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['2002:7f00:1::', '6to4'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['not an address', 'nonsense'],
  ['', 'nothing'],
]

type Outcome = { error: Error | null; connected: boolean }

const connectTo = (hostname: string, addresses: readonly string[], port: string, exempt = ''): Promise<Outcome> =>
  new Promise((resolve) => {
    const connect = guardedConnector({ isExempt: (host) => host === exempt, timeout: 1000, resolve: async () => addresses })
    connect({ hostname, host: `${hostname}:${port}`, protocol: 'http:', port }, (error, socket) => {
      socket?.destroy()
      resolve({ error, connected: socket !== null })
    })
  })

describe('destinations', () => {
  it.each(REFUSED)('%s is refused (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ['a literal address', '127.0.0.1', ['8.8.8.8']],
    ['a name of a private address', 'inside.example', ['127.0.0.1']],
    ['a name of a public and a private address', 'both.example', ['8.8.8.8', '127.0.0.1']],
    ['a name of no address', 'nothing.example', []],
  ])('%s is never connected to', async (_, hostname, addresses) => {
    const receiver = await startReceiver()
    const { error, connected } = await connectTo(hostname, addresses, new URL(receiver.url).port)
    await receiver.close()
    expect(connected).toBe(false)
    expect(error).toBeInstanceOf(RefusedAddress)
  })

  it('a host that the deployment names may be private', async () => {
    const receiver = await startReceiver()
    expect(await connectTo('127.0.0.1', [], new URL(receiver.url).port, '127.0.0.1')).toEqual({ error: null, connected: true })
    await receiver.close()
  })
})
