import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'

/** The address that a customer named is not on the public internet. */
export class RefusedAddress extends Error {
  constructor() {
    super('The address of the destination is not public.')
    this.name = 'RefusedAddress'
  }
}

/** Everything that is handed out to the public internet; below it stand, unnamed, old forms of IPv4 addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is of the public internet: neither private nor local, shared, reserved, or another one in disguise. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6)
}

/** @throws Error when the name has no address. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const RESOLVER = new Resolver({ timeout: 2_000, tries: 2 })

/** Not the system's look-up: that one has four threads, and a few dead names would keep everybody else's deliveries waiting. */
const resolveName: Resolve = async (hostname) => {
  const answers = await Promise.allSettled([RESOLVER.resolve4(hostname), RESOLVER.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failure = answers.find((answer) => answer.status === 'rejected')
  if (addresses.length === 0 && failure) throw failure.reason
  return addresses
}

const publicOnly =
  (resolve: Resolve): LookupFunction =>
  async (hostname, options, callback) => {
    try {
      const addresses = await resolve(hostname)
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

export interface Guard {
  /** Whether a host may be reached wherever it is. */
  readonly isExempt: (hostname: string) => boolean
  /** Milliseconds for the connection to stand. */
  readonly timeout: number
  readonly resolve?: Resolve
}

/**
 * Connects to public addresses only. A name is resolved once, all of its addresses are checked, and it is one of those that
 * is connected to, so that the name cannot mean another one a moment later.
 */
export const guardedConnector = ({ isExempt, timeout, resolve = resolveName }: Guard): buildConnector.connector => {
  const options = { allowH2: false, timeout }
  const connect = buildConnector(options)
  const connectPublic = buildConnector({ ...options, lookup: publicOnly(resolve) })
  const checked = (callback: buildConnector.Callback) => (error: Error | null, socket: Socket | null) => {
    if (error) return callback(error, null)
    if (!socket) return callback(new Error('There is no connection.'), null)
    if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket)
    socket.destroy()
    return callback(new RefusedAddress(), null)
  }
  return (target, callback) => {
    if (isExempt(target.hostname)) return connect(target, callback)
    if (isIP(target.hostname) && !isPublicAddress(target.hostname)) return callback(new RefusedAddress(), null)
    return connectPublic(target, checked(callback))
  }
}
