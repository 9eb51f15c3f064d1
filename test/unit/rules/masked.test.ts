import { describe, expect, it } from '@jest/globals'
import { masked } from '#shared/platform/values/masked.ts'

describe('the masking of a text', () => {
  it.each([
    ['+12125550101', '***01'],
    ['called +12125550101, then +442079460958.', 'called ***01, then ***58.'],
    ['"phone_number": "+12125550101"', '"phone_number": "***01"'],
    ['+1 (212) 555-0101', '***01'],
    ['+44 20 7946 0958', '***58'],
    ['(212) 555-0101', '***01'],
    ['(212)555-0101', '***01'],
    ['212-555-0101', '***01'],
    ['212 5550101', '***01'],
    ['212/555-0101', '***01'],
    ['1.212.555.0101', '***01'],
    ['2125550101', '***01'],
    ['phone2125550101', 'phone***01'],
    ['id2125550101', 'id***01'],
    ['2125550101ext', '***01ext'],
    ['?q=%202125550101', '?q=%***01'],
    ['?q=%092125550101', '?q=%09***01'],
    ['tel%3a2125550101&x=%3d2125550102', 'tel%3a***01&x=%3d***02'],
    ['447911123456', '***56'],
    ['phone447911123456, 971501234567', 'phone***56, ***67'],
    ['4f2a0c1e-2125-4000-8000-a2125550101f 2125550101', '4f2a0c1e-2125-4000-8000-a2125550101f ***01'],
    ['12125550101', '***01'],
    ['path /api/leads/%2B12125550101/ and %2b442079460958', 'path /api/leads/***01/ and ***58'],
    ['PERSON#7#+12125550101', 'PERSON#7#***01'],
    ['anna@doe.com', 'a***@d***.com'],
    ['<anna.b+c@mail.doe.co.uk>', '<a***@m***.uk>'],
    ['EMAIL#7#anna@doe.com', 'E***@d***.com'],
    ['?email=anna%40doe.com', '?email=a***@d***.com'],
    ['a@b.org and c@d.net', 'a***@b***.org and c***@d***.net'],
    ['2125550101@doe.com', '2***@d***.com'],
    ['jürgen@müller.de', 'j***@m***.de'],
    [`Token lok_${'a1B2'.repeat(9)}cc is wrong`, 'Token lok_*** is wrong'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/+==', 'whsec_***'],
    ['Authorization: Bearer eyJhbGciOi.JIUzI1-NiJ9', 'Authorization: Bearer ***'],
  ])('masking hides secrets and personal data in %j', (text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  it.each([
    '2026-11-20T16:00:00.000000+00:00',
    '2026-11-20T08:00:00-05:00',
    '4f2a0c1e-2125-4000-8000-a2125550101f',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '5F2A0C1E2125400080002125550101AF',
    'arn:aws:lambda:us-east-1:123456789012:function:lead-outreach-prod-workers-place-call',
    'arn:aws:sts::447911123456:assumed-role/lead-outreach-prod',
    'https://sqs.us-east-1.amazonaws.com/447911123456/lead-outreach-prod-calls',
    'http://127.0.0.1:41235/000000000000/lead-outreach-prod-calls',
    '    at place (file:///var/task/index.mjs:12:345)',
    '    at /node_modules/@aws-sdk/client-dynamodb/dist-es/index.js:1:2',
    '/node_modules/.pnpm/foo@1.2.3/index.js',
    '1795190400000',
    '1795190400',
    '111000000002125550101234',
    'LEAD#1234567',
    '2147483-1',
    '1-5759e988-bd862e3fe1be46a994272793',
    'The destination answered 503.',
    'Invalid Token here',
  ])('masking leaves %j unchanged', (text) => {
    expect(masked(text)).toBe(text)
  })

  // Each would take minutes with a pattern that backtracks.
  it.each([
    'a'.repeat(20_000),
    '2'.repeat(20_000),
    'a@'.repeat(10_000),
    'A%40'.repeat(5_000),
    `${'a'.repeat(60)}@${'b.'.repeat(9_000)}`,
    '%2b1 '.repeat(4_000),
    `${'a'.repeat(23)}g`.repeat(800),
    'arn:a:a:a:2'.repeat(1_800),
  ])('masking leaves a long text without secrets unchanged (%#)', (text) => {
    expect(masked(text)).toBe(text)
  })

  it('masking hides a long run of key prefixes as one', () => {
    expect(masked('lok_'.repeat(5_000))).toBe('lok_***')
  })
})

describe('a text that is too long for a log', () => {
  it('a text that is too long for a log is cut at a fixed length', () => {
    expect(masked('ab '.repeat(2_000_000))).toBe(`${'ab '.repeat(7_000).slice(0, 19_488)}…`)
  })

  it('a text that is too long for a log ends before a secret that the cut would split', () => {
    for (const secret of ['+12125550101', 'anna@doe.com', 'Bearer abcdefghijklm']) {
      const [beginning] = masked(secret).split('***')
      for (let cut = 1; cut < secret.length; cut++) {
        const text = masked(`${' '.repeat(20_000 - cut)}${secret}${' '.repeat(10)}`)
        expect(text.replace(beginning ?? '', '').trim()).toBe('…')
      }
    }
  })
})
