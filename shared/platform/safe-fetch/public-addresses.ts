import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address that a customer named is not on the public internet. */
export class RefusedAddress extends Error {
  constructor() {
    super('The address of the destination is not public.')
    this.name = 'RefusedAddress'
  }
}

/** All addresses of the public IPv6 internet. Old forms of IPv4 addresses are below this range, and the library does not name them. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** A cloud's own service at a public address: Azure's, which answers only machines in Azure. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16'])

/** Whether an address is public: not private, local, shared or reserved, and not a disguised form of another address. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || PLATFORM_ADDRESSES.has(address.toString())) return false
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6)
}

/**
 * Whether a host is a literal address that is not public. Literal addresses are connected to without a look-up. Accepts `[::1]`, as URLs
 * write it.
 */
export const isPrivateAddress = (host: string): boolean => {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) !== 0 && !isPublicAddress(address)
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Whether a URL's host is one of these. A host without a port matches every port. */
export const isHostOf = (hosts: readonly string[], { hostname, port, protocol }: URL): boolean =>
  hosts.includes(hostname) || hosts.includes(`${hostname}:${port || DEFAULT_PORTS[protocol]}`)

/** Whether a URL names this machine or an address that is not public. `URL` has normalised every notation of an address. */
export const isPrivateUrl = ({ hostname }: URL): boolean => isPrivateAddress(hostname) || /(^|\.)localhost\.?$/.test(hostname)

/** @throws Error when the name has no address. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const RESOLVER = new Resolver({ timeout: 2_000, tries: 2 })

/** Not the system's look-up: it has four threads, and a few dead names would delay everybody else's requests. */
export const resolveName: Resolve = async (hostname) => {
  const answers = await Promise.allSettled([RESOLVER.resolve4(hostname), RESOLVER.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failure = answers.find((answer) => answer.status === 'rejected')
  if (addresses.length === 0 && failure) throw failure.reason
  return addresses
}

/**
 * Look-up for a connection to a public address. A name is resolved once, all of its addresses are checked, and one of these is connected
 * to: the name cannot change its meaning in between.
 */
export const lookUpPublic =
  (resolve: Resolve): LookupFunction =>
  async (hostname, options, callback) => {
    try {
      // A copy: the checked addresses are the ones that are connected to.
      const addresses = [...(await resolve(hostname))]
      const [first] = addresses
      if (first === undefined || !addresses.every(isPublicAddress)) throw new RefusedAddress()
      if (options.all)
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        )
      else callback(null, first, isIP(first))
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), '')
    }
  }

/** Destroys a socket that turns out to be connected to an address that is not public. Nothing has been sent by then. */
export const keepToPublic = (socket: Socket): void => {
  // Must run before the pending write, which waits for the same event.
  socket.prependOnceListener('connect', () => {
    if (!isPublicAddress(socket.remoteAddress ?? '')) socket.destroy(new RefusedAddress())
  })
}
