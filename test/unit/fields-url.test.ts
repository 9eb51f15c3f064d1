import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { destinationField } from '#shared/http/fields/url.ts'
import { helped } from '#test/support/helped.ts'

const INVALID = helped('Enter a valid URL. …')
const FORM = 'Placeholders must have the form {{name}} or {{name.nested}}.'
const EARLY = 'The scheme, host and port may not hold a placeholder.'
const CREDENTIALS = 'Enter a valid URL without credentials.'

const messages = (url: string) => v.safeParse(destinationField(), url).issues?.map(({ message }) => message)

describe('the url of a subscription', () => {
  it.each([
    'https://example.com',
    'HTTP://EXAMPLE.com:8080/a/b?c=d',
    'https://example.com/{{id}}',
    'https://example.com/{{ metadata.us_state }}/x?y={{last_chat.call_id}}&z={{trigger}}',
    'https://example.com?x={{id}}',
    'https://example.com/{a}/}{',
    'https://bücher.example/',
    'http://[::1]:8080/',
    'https://example.com/a@b:c',
    'https://example.com/x?y#top',
    `https://example.com/${'x'.repeat(235)}`,
  ])('the url of a subscription may be %s', (url) => {
    expect(messages(url)).toBeUndefined()
  })

  it.each([
    ['example.com/hook', INVALID],
    ['//example.com/hook', INVALID],
    ['/hook', INVALID],
    ['ftp://example.com/', INVALID],
    ['file:///etc/passwd', INVALID],
    ['javascript:alert(1)', INVALID],
    ['https:example.com', INVALID],
    ['https:///example.com', INVALID],
    ['https://', INVALID],
    ['https://example.com/a b', INVALID],
    ['https://exa mple.com/', INVALID],
    ['https://example.com/a\tb', INVALID],
    ['https://example.com/a\nb', INVALID],
    ['https://example.com/a\u00a0b', INVALID],
    ['https://example.com:99999/', INVALID],
    ['https://example.com:a/', INVALID],
    ['https://[::1/', INVALID],
    ['https://user@example.com/', CREDENTIALS],
    ['https://user:password@example.com/', CREDENTIALS],
    ['https://:password@example.com/', CREDENTIALS],
    ['{{scheme}}://example.com/', EARLY],
    ['http{{s}}://example.com/', EARLY],
    ['{{url}}', EARLY],
    ['https://{{host}}/', EARLY],
    ['https://{{metadata.us_state}}.example.com/', EARLY],
    ['https://example.com{{x}}/', EARLY],
    ['https://example.com:{{port}}/', EARLY],
    ['https://example.com:80{{port}}/', EARLY],
    ['https://{{user}}@example.com/', EARLY],
    ['https://{{a/b}}/', EARLY],
    ['https://example.com/{{id', FORM],
    ['https://example.com/id}}', FORM],
    ['https://example.com/{{}}', FORM],
    ['https://example.com/{{ }}', FORM],
    ['https://example.com/{{a b}}', FORM],
    ['https://example.com/{{a..b}}', FORM],
    ['https://example.com/{{.a}}', FORM],
    ['https://example.com/{{a.}}', FORM],
    ['https://example.com/{{{id}}}', FORM],
    ['https://example.com/{{a{{b}}}}', FORM],
    ['https://{{host', FORM],
    [`https://example.com/${'x'.repeat(236)}`, 'Ensure this field has no more than 255 characters.'],
  ])('the url of a subscription may not be %j', (url, message) => {
    expect(messages(url)).toEqual([message])
  })
})

describe('the message for an invalid url', () => {
  it.each([
    ['example.com', 'It must begin with http:// or https://, followed by a host. You sent "example.com".'],
    ['ftp://example.com/hook', 'It must begin with http:// or https://, followed by a host. You sent "ftp://example.com…".'],
    ['https:example.com', 'It must begin with http:// or https://, followed by a host. You sent "https:example.com".'],
    ['https://example.com/a b', 'It must not hold blanks. Write %20 instead. You sent "https://example.com…".'],
    ['https://example.com:99999', 'The host or the port is not valid. You sent "https://example.com:99999".'],
    [`x${'.x'.repeat(60)}`, `It must begin with http:// or https://, followed by a host. You sent "x${'.x'.repeat(24)}.…".`],
  ])('the message for an invalid url says what is wrong, and how the url begins: %s', (url, why) => {
    expect(messages(url)).toEqual([`Enter a valid URL. ${why}`])
  })

  it.each([
    'hooks.example.com/services/SECRET',
    'example.com?token=SECRET',
    'example.com#SECRET',
    'user:SECRET@example.com',
    'ftp://user:SECRET@example.com/',
    'https://user:SEC/RET@exa mple.com/',
    'https:user:SECRET@example.com/',
    'https://exa mple.com/SECRET',
    'https://example.com:99999/SECRET',
    'example.com\\SECRET',
  ])('the message for an invalid url repeats no credentials, path or query: %s', (url) => {
    expect(JSON.stringify(messages(url))).not.toMatch(/SEC|RET/)
  })
})
