import { emailField } from '#shared/http/fields/email.ts'
import { blankAsNull } from '#shared/http/fields/field.ts'
import { phoneField } from '#shared/http/fields/phone.ts'
import { charField } from '#shared/http/fields/text.ts'
import { destinationField } from '#shared/http/fields/url.ts'
import { testFields } from '#test/support/field-cases.ts'

const NULL = 'This field may not be null.'
const BLANK = 'This field may not be blank.'
const NO_STRING = 'Not a valid string.'
const NO_EMAIL = 'Enter a valid email address. …'
const NO_URL = 'Enter a valid URL. …'
const NO_PHONE = 'The phone number entered is not valid. …'

testFields([
  [
    'charField',
    charField({ maxLength: 3 }),
    [
      ['abc', 'abc'],
      [' a \n', 'a'],
      [12, '12'],
      [1.5, '1.5'],
      ['😀😀😀', '😀😀😀'],
    ],
    [
      [null, NULL],
      ['', BLANK],
      [' \t', BLANK],
      [true, NO_STRING],
      [[], NO_STRING],
      [{}, NO_STRING],
      ['abcd', 'Ensure this field has no more than 3 characters.'],
      ['a\0b', 'Null characters are not allowed.'],
      ['a\ud800', 'Surrogate characters are not allowed: U+D800.'],
      [
        'a\0\udfffbc',
        'Ensure this field has no more than 3 characters.',
        'Null characters are not allowed.',
        'Surrogate characters are not allowed: U+DFFF.',
      ],
    ],
  ],
  [
    'charField, blank allowed',
    charField({ allowBlank: true }),
    [
      ['', ''],
      ['  ', ''],
    ],
    [
      [null, NULL],
      [false, NO_STRING],
    ],
  ],
  [
    'blankAsNull',
    blankAsNull(charField()),
    [
      ['', null],
      ['  ', null],
      [null, null],
      ['a', 'a'],
    ],
    [[[], NO_STRING]],
  ],
  [
    'emailField',
    emailField(),
    [
      ['a@b.co', 'a@b.co'],
      [" Jo.O'Neil+tag@Mail.Example.COM ", "Jo.O'Neil+tag@Mail.Example.COM"],
      ['"a@b"@example.com', '"a@b"@example.com'],
      ['jo@münchen.de', 'jo@münchen.de'],
      [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
    ],
    [
      [null, NULL],
      ['', BLANK],
      [1, NO_EMAIL],
      [true, NO_EMAIL],
      ['a', NO_EMAIL],
      ['@b.co', NO_EMAIL],
      ['a@b', NO_EMAIL],
      ['a@b..co', NO_EMAIL],
      ['a@-b.co', NO_EMAIL],
      ['a@b.co-', NO_EMAIL],
      ['a b@c.co', NO_EMAIL],
      ['.a@b.co', NO_EMAIL],
      ['a@b.co\nx', NO_EMAIL],
      ['a@b@c.co', NO_EMAIL],
      ['a\0@b.co', 'Null characters are not allowed.', NO_EMAIL],
      [`${'a'.repeat(243)}@example.com`, 'Ensure this field has no more than 254 characters.'],
      [`${'a'.repeat(309)}@example.com`, 'Ensure this field has no more than 254 characters.', NO_EMAIL],
    ],
  ],
  [
    'phoneField',
    phoneField(),
    [
      ...[
        '+12125550001',
        '2125550001',
        '(212) 555-0001',
        '1-212-555-0001',
        '212.555.0001',
        '+1 (212) 555 0001',
        ' 12125550001 ',
        2125550001,
      ].map((text): [unknown, unknown] => [text, '+12125550001']),
      ['416-555-0001', '+14165550001'],
      ['800 555 0001', '+18005550001'],
      ['+442079460958', '+442079460958'],
      ['+44 20 7946 0958', '+442079460958'],
    ],
    [
      [null, NULL],
      ['', BLANK],
      ['  ', BLANK],
      [true, NO_STRING],
      [[], NO_STRING],
      [{}, NO_STRING],
      ...[
        'abc',
        '555',
        '+1',
        '5555550001',
        '+19995550001',
        '1115550001',
        '2120550001',
        '2125550001x',
        '212555000\0',
        '\ud8002125550001',
      ].map((text): [unknown, string] => [text, NO_PHONE]),
      ...['442079460958', '011442079460958', '+999123456789', '2125550001;2125550002', '2125550001,2125550002', '9'.repeat(100_000)].map(
        (text): [unknown, string] => [text, NO_PHONE],
      ),
    ],
  ],
  [
    'destinationField',
    destinationField(),
    [
      ...[
        'https://example.com',
        'http://127.0.0.1:8080/hook?x=1#y',
        'HTTPS://Example.com/ü',
        'https://[::1]/',
        `https://a.co/${'x'.repeat(242)}`,
      ].map((text): [unknown, unknown] => [text, text]),
      ...['https://a.co/{{id}}?s={{ metadata.us_state }}', 'https://a.co/{x}'].map((text): [unknown, unknown] => [text, text]),
    ],
    [
      [null, NULL],
      ['', BLANK],
      [true, NO_STRING],
      ...[
        'example.com',
        '/x',
        'ftp://a.co',
        'javascript:alert(1)',
        'https://',
        'https:///a.co',
        'https:a.co',
        'https://a co/',
        'https://a.co/\nx',
      ].map((text): [unknown, string] => [text, NO_URL]),
      ...['https://a.co:99999/', 'http://[::1', 'https://a%zz/'].map((text): [unknown, string] => [text, NO_URL]),
      ...['https://me:pw@a.co/'].map((text): [unknown, string] => [text, 'Enter a valid URL without credentials.']),
      ...['https://{{metadata.tenant}}.a.co/', 'https://{{id}}@a.co/'].map((text): [unknown, string] => [
        text,
        'The scheme, host and port may not hold a placeholder.',
      ]),
      ...[
        'https://a.co/{{',
        'https://a.co/}}',
        'https://a.co/{{}}',
        'https://a.co/{{a..b}}',
        'https://a.co/{{{a}}}',
        'https://a.co/{{a b}}',
      ].map((text): [unknown, string] => [text, 'Placeholders must have the form {{name}} or {{name.nested}}.']),
      [`https://a.co/${'x'.repeat(243)}`, 'Ensure this field has no more than 255 characters.'],
    ],
  ],
])
