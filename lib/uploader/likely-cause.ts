import * as v from 'valibot'
import { reasonOf } from './failure.ts'

const Coded = v.object({
  code: v.optional(v.unknown()),
  name: v.optional(v.string()),
  cause: v.optional(v.unknown()),
  errors: v.optional(v.array(v.unknown()), []),
})

/** The codes of an error and of its causes. A request that lasts too long has only a name. */
const codesOf = (error: unknown): string[] => {
  const coded = v.safeParse(Coded, error)
  if (!coded.success) return []
  const { code, name, cause, errors } = coded.output
  const deeper = errors[0] ?? cause
  const own = typeof code === 'string' ? code : name
  return [...(own === undefined ? [] : [own]), ...(deeper === undefined ? [] : codesOf(deeper))]
}

const LOCAL_HOST = /^(localhost|127\..*|\[::1\])$/
const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/
const TLS = /^(EPROTO|ERR_SSL_)/
/** A server that speaks TLS says with an alert why it refuses a connection. */
const TLS_ALERT = / alert /
const NOT_HTTP = /^(HPE_|UND_ERR_SOCKET|ECONNRESET)/

/** The likely cause of a failed connection, as a sentence with a space before it. Empty when there is none. */
export const likelyCause = (error: unknown, address: string): string => {
  const { hostname, protocol, origin } = new URL(address)
  const isHere = LOCAL_HOST.test(hostname)
  for (const code of codesOf(error)) {
    if (code === 'ECONNREFUSED')
      return isHere
        ? ' Nothing listens there: start the service with `npm start`, or give its address with --url.'
        : ' Nothing listens there: check host and port.'
    if (code === 'ENOTFOUND') return ` There is no host "${hostname}": check the address.`
    if (code === 'EAI_AGAIN') return ` The name "${hostname}" cannot be resolved: is this machine connected to the network?`
    if (['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'].includes(code)) return ' There is no way to that host: check the network.'
    if (['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'TimeoutError'].includes(code))
      return ' Check host and port, and whether a firewall is between.'
    if (CERTIFICATE.test(code))
      return ` Its certificate is not trusted (${code}): check the host name. NODE_EXTRA_CA_CERTS names a file with certificates of your own.`
    if (TLS.test(code)) {
      return TLS_ALERT.test(reasonOf(error))
        ? ' The server refuses the connection: check host and port.'
        : ` The server does not speak TLS there: is it http://${origin.slice('https://'.length)}?`
    }
    if (NOT_HTTP.test(code) && protocol === 'http:')
      return ` The server closed the connection: is it https://${origin.slice('http://'.length)}?`
  }
  return ''
}
