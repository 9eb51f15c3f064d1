import { describe, expect, it, jest } from '@jest/globals'
import { resolveUrl } from '#shared/webhooks/rules/url-template.ts'

const PAYLOAD = {
  id: 7,
  trigger: 'LEAD_CREATED',
  email: null,
  call_dnc: false,
  metadata: {
    us_state: 'NY',
    city: 'São Paulo/ß?#&=',
    evil: '@evil.example',
    dots: '.evil.example',
    port: 8443,
    scheme: 'http',
    broken: '\ud800',
    dot: '.',
    up: '..',
    encoded: '%2e%2e',
    slashes: '../..\\',
  },
  last_chat: { transfer: { to: '+1' } },
}

describe('the URL of a delivery', () => {
  it.each([
    ['https://example.com/hook', 'https://example.com/hook'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com/{{id}}/{{metadata.us_state}}', 'https://example.com/7/NY'],
    ['https://example.com/?t={{ trigger }}&d={{call_dnc}}', 'https://example.com/?t=LEAD_CREATED&d=false'],
    ['https://example.com/{{metadata.city}}', 'https://example.com/S%C3%A3o%20Paulo%2F%C3%9F%3F%23%26%3D'],
    ['https://example.com/a{{missing.path}}b{{email}}c', 'https://example.com/abc'],
    ['https://example.com/{{metadata.id}}?dnc={{metadata.call_dnc}}&own={{metadata.trigger}}', 'https://example.com/7?dnc=false&own='],
    ['https://example.com/{{constructor.name}}x{{metadata.__proto__}}', 'https://example.com/x'],
    ['https://example.com/{{metadata.broken}}', 'https://example.com/%EF%BF%BD'],
    ['https://example.com/?c={{last_chat.transfer}}', 'https://example.com/?c=%7B%22to%22%3A%22%2B1%22%7D'],
    ['https://example.com/v.{{metadata.dots}}/{{metadata.up}}.json', 'https://example.com/v..evil.example/...json'],
    ['https://example.com/a#{{id}}', 'https://example.com/a'],
    ['https://example.com/?up={{metadata.up}}', 'https://example.com/?up=..'],
    ['https://example.com/{{metadata.encoded}}/x', 'https://example.com/%252e%252e/x'],
    ['https://example.com/{{metadata.slashes}}/x', 'https://example.com/..%2F..%5C/x'],
    ['https://example.com/a/../{{id}}', 'https://example.com/7'],
    ['https://example.com/{{missing}}/evil.example', 'https://example.com//evil.example'],
    ['https://EXAMPLE.com./{{id}}', 'https://example.com./7'],
    ['https://bücher.example/{{id}}', 'https://xn--bcher-kva.example/7'],
    ['http://[::1]:8080/{{id}}', 'http://[::1]:8080/7'],
  ])('the URL of a delivery is built from %s as %s', (template, url) => {
    expect(resolveUrl(template, PAYLOAD)).toEqual({ url })
  })

  it.each([
    'https://{{metadata.us_state}}.example.com/',
    'https://{{metadata.evil}}/',
    'https://example.com{{metadata.dots}}/',
    'https://example.com{{metadata.evil}}/',
    'https://user:{{metadata.evil}}@{{trigger}}/',
    'https://example.com:80{{metadata.evil}}/',
    'https://example.com:{{metadata.us_state}}/',
    '{{metadata.us_state}}://example.com/',
    '{{metadata.city}}',
    'example.com/{{id}}',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https:///{{id}}',
    'https://example.com:{{metadata.port}}/x',
    '{{metadata.scheme}}://example.com/x',
    'https://example.com/hooks/{{metadata.up}}/lead',
    'https://example.com/hooks/{{metadata.dot}}',
    'https://example.com/hooks/.{{metadata.dot}}/lead',
    'https://example.com/hooks/{{metadata.dot}}{{metadata.dot}}',
    'https://example.com/hooks/{{metadata.dot}}{{missing}}%2e/lead',
    'https://example.com\\hooks\\{{metadata.up}}\\lead',
    `https://example.com/?all=${'{{metadata.city}}'.repeat(300)}`,
  ])('the URL of a delivery is refused for %s', (template) => {
    expect(resolveUrl(template, PAYLOAD)).toEqual({ error: expect.any(String) })
  })
})

describe('a placeholder value too long for a URL', () => {
  it('a placeholder value too long for a URL is refused before it is encoded', () => {
    const encode = jest.spyOn(globalThis, 'encodeURIComponent')
    const template = `https://example.com/${'{{metadata}}'.repeat(19)}`
    const told = resolveUrl(template, { metadata: { note: 'é'.repeat(50_000) } })
    const encoded = encode.mock.calls.length
    encode.mockRestore()
    expect(told).toEqual({ error: 'With its placeholders filled in, the URL has more than 8192 characters.' })
    expect(encoded).toBe(0)
  })
})
