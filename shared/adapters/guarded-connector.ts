import { isIP, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { isPrivateAddress, isPublicAddress, lookUpPublic, RefusedAddress, type Resolve, resolveName } from './public-addresses.ts'

export interface Guard {
  /** Whether a host, as URLs spell it, may be reached wherever it is. */
  readonly isExempt: (hostname: string) => boolean
  /** Milliseconds for the connection to stand. */
  readonly timeout: number
  readonly resolve?: Resolve
}

/** Connects to public addresses only. */
export const guardedConnector = ({ isExempt, timeout, resolve = resolveName }: Guard): buildConnector.connector => {
  const options = { allowH2: false, timeout }
  const connect = buildConnector(options)
  const connectPublic = buildConnector({ ...options, lookup: lookUpPublic(resolve) })
  const checked = (callback: buildConnector.Callback) => (error: Error | null, socket: Socket | null) => {
    if (error) return callback(error, null)
    if (!socket) return callback(new Error('There is no connection.'), null)
    if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket)
    socket.destroy()
    return callback(new RefusedAddress(), null)
  }
  return (target, callback) => {
    const isIPv6 = isIP(target.hostname) === 6
    if (isExempt(isIPv6 ? `[${target.hostname}]` : target.hostname)) return connect(target, callback)
    if (isPrivateAddress(target.hostname)) return callback(new RefusedAddress(), null)
    return connectPublic(target, checked(callback))
  }
}
