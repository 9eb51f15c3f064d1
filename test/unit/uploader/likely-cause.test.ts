import { expect, it } from '@jest/globals'
import { likelyCause } from '#lib/uploader/likely-cause.ts'

/** An error as `fetch` throws it. */
const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('low level'), { code }) })

it.each([
  ['ECONNREFUSED', 'http://127.0.0.1:3000', ' Nothing listens there: start the service with `npm start`, or give its address with --url.'],
  ['ECONNREFUSED', 'https://leads.example.com', ' Nothing listens there: check host and port.'],
  ['ENOTFOUND', 'https://leds.example.com', ' There is no host "leds.example.com": check the address.'],
  ['EAI_AGAIN', 'https://leads.example.com', ' The name "leads.example.com" cannot be resolved: is this machine connected to the network?'],
  ['EHOSTUNREACH', 'https://10.0.0.1', ' There is no way to that host: check the network.'],
  ['UND_ERR_CONNECT_TIMEOUT', 'https://10.0.0.1', ' Check host and port, and whether a firewall is between.'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'https://127.0.0.1:3000', ' The server does not speak TLS there: is it http://127.0.0.1:3000?'],
  ['ECONNRESET', 'http://leads.example.com', ' The server closed the connection: is it https://leads.example.com?'],
  ['ECONNRESET', 'https://leads.example.com', ''],
  ['ENOSPC', 'https://leads.example.com', ''],
])('the uploader tells the likely cause of %s at %s', (code, address, told) => {
  expect(likelyCause(failed(code), address)).toBe(told)
})

it.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
  'the uploader says that a certificate is not trusted: %s',
  (code) => {
    expect(likelyCause(failed(code), 'https://leads.example.com')).toContain(` Its certificate is not trusted (${code})`)
  },
)

it.each(['EPROTO', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'])(
  'the uploader says that a server speaks TLS when it refuses plain HTTP: %s',
  (code) => {
    const message =
      '406D:error:0A00042E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:../rec_layer_s3.c:918:SSL alert number 70\n'
    const failure = new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })
    expect(likelyCause(failure, 'https://leads.example.com')).toBe(' The server refuses the connection: check host and port.')
  },
)

it('the uploader tells the likely cause for a request without an answer, and for a host with several addresses', () => {
  expect(likelyCause(new DOMException('timed out', 'TimeoutError'), 'https://10.0.0.1')).toContain('firewall')
  const refused = new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })])
  expect(likelyCause(new TypeError('fetch failed', { cause: refused }), 'http://localhost:1')).toContain('npm start')
})
