import { type AddressInfo, connect, createServer, type TcpNetConnectOpts } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect, it } from '@jest/globals'
import { guardedRequest } from '#shared/platform/safe-fetch/guarded-request.ts'
import { isPublicAddress, keepToPublic, RefusedAddress } from '#shared/platform/safe-fetch/public-addresses.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'

const LOOPBACK = { address: '127.0.0.1', family: 4 }

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

const ask = async (hostname: string, addresses: readonly string[], receiver: Receiver, isExempt = false): Promise<unknown> => {
  const url = new URL(`http://${hostname}:${new URL(receiver.url).port}/`)
  const request = { url, method: 'POST' as const, headers: {}, body: '{}', signal: AbortSignal.timeout(1000) }
  try {
    return (await guardedRequest(request, { isExempt, resolve: async () => addresses })).resume().statusCode
  } catch (error) {
    return error
  }
}

/** Accepts connections, and records what they send. */
const listen = async () => {
  const arrived: Buffer[] = []
  const server = createServer((socket) => socket.on('error', () => {}).on('data', (bytes) => arrived.push(bytes)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { arrived, port: (server.address() as AddressInfo).port, close: () => new Promise((resolve) => server.close(resolve)) }
}

describe('a webhook destination', () => {
  it.each(REFUSED)('a webhook destination may not be %s (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    'a webhook destination may be the public address %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    ['a literal address', '127.0.0.1', ['8.8.8.8']],
    ['a name of a private address', 'inside.example', ['127.0.0.1']],
    ['a name of a public and a private address', 'both.example', ['8.8.8.8', '127.0.0.1']],
    ['a name of no address', 'nothing.example', []],
  ])('a webhook destination gets no connection when it is %s', async (_, hostname, addresses) => {
    const receiver = await startReceiver()
    const outcome = await ask(hostname, addresses, receiver)
    await receiver.close()
    expect(outcome).toBeInstanceOf(RefusedAddress)
    expect(receiver.requests).toEqual([])
  })

  it.each([
    ['a connection', (options: TcpNetConnectOpts) => connect(options)],
    ['a TLS connection', (options: TcpNetConnectOpts) => connectSecurely(options)],
  ])('a webhook destination gets no data over %s that reaches a private address', async (_, open) => {
    const { arrived, port, close } = await listen()
    let address: string | undefined
    const error = await new Promise((resolve) => {
      const socket = open({ host: 'public.example', port, lookup: (_name, _options, callback) => callback(null, [LOOPBACK]) })
      socket.on('error', resolve).write('secret')
      keepToPublic(socket)
      socket.prependListener('connect', () => {
        address = socket.remoteAddress
      })
    })
    await close()
    expect(error).toBeInstanceOf(RefusedAddress)
    expect(address).toBe('127.0.0.1')
    expect(Buffer.concat(arrived)).toHaveLength(0)
  })

  it('a webhook destination may be private when the deployment allows it', async () => {
    const receiver = await startReceiver()
    expect(await ask('127.0.0.1', [], receiver, true)).toBe(200)
    await receiver.close()
  })
})
