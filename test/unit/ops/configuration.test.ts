import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { readDeclaration } from '#lib/ops/configuration/declared.ts'
import { readDocument } from '#lib/ops/configuration/document.ts'
import { configurationJsonSchema } from '#lib/ops/configuration/json-schema.ts'
import { Mistakes, mistakeLine } from '#lib/ops/configuration/mistakes.ts'
import published from '#lib/ops/schema.json' with { type: 'json' }

const EXAMPLE = new URL('../../../lib/ops/examples/company.yaml', import.meta.url)

/** Errors of a file that do not depend on the service's data. */
const complaints = (yaml: string): string[] => {
  const written = readDocument(yaml)
  if ('unreadable' in written) return written.unreadable.map(({ position, message }) => `${position.line}:${position.column} ${message}`)
  const mistakes = new Mistakes('f', written)
  readDeclaration(written.value, mistakes)
  return mistakes.all.map(mistakeLine)
}

const ofType = (settings: string): string => `users:\n  - key: acme\n    lead_types:\n      - key: solar\n        ${settings}\n`
const SOLAR = 'users[acme].lead_types[solar]'

describe('a configuration file', () => {
  it('the shipped example of a configuration file has no mistakes', () => {
    expect(complaints(readFileSync(EXAMPLE, 'utf8'))).toEqual([])
  })

  it.each([
    [
      'no YAML',
      'a: 1\n b: 2\n',
      [
        '1:4 This is not YAML: Nested mappings are not allowed in compact mappings.',
        '1:4 This is not YAML: Implicit keys need to be on a single line.',
      ],
    ],
    [
      'more of one thing than is kept',
      ofType(`script: ${'x'.repeat(100_000)}`),
      [`f:4:9: ${SOLAR}: This entry is too long: at most 100000 bytes are allowed.`],
    ],
    ['what holds itself', 'users: &u\n  - { key: a, name: *u }\n', ['2:21 The alias *u is inside its own anchor.']],
    ['settings that take themselves over', 'x-a: &a\n  <<: *a\n', ['2:7 The alias *a is inside its own anchor.']],
    [
      'settings that take over what is none',
      'x-a: &a 5\nusers:\n  - <<: { key: a }\n  - <<: [{ key: b }, *a]\n',
      ['4:9 This is not YAML: Merge sources must be maps or map aliases.'],
    ],
    [
      'aliases of aliases',
      ['x: &x0 [1, 1]', ...Array.from({ length: 20 }, (_, at) => `x${at}: &x${at + 1} [${Array(9).fill(`*x${at}`).join(', ')}]`)].join(
        '\n',
      ),
      ['1:1 The YAML aliases of the file expand beyond the limit of what can be read.'],
    ],
    [
      'more mistakes than are of use',
      Array.from({ length: 13 }, (_, at) => `- *a${at}\n`).join(''),
      [
        ...Array.from({ length: 10 }, (_, at) => `${at + 1}:3 This is not YAML: There is no anchor &a${at} before this alias.`),
        '11:3 And 3 more mistakes, which may follow from these.',
      ],
    ],
    ['two documents', 'users: []\n---\nusers: []\n', ['2:1 A file may hold only one document. Remove the line ---, or use two files.']],
    ['no text', 'u\0s\0', ['1:1 The file is not UTF-8 text.']],
    ['a number in quotes', 'users:\n  - { key: a, lines: "5" }\n', ['f:2:22: users[a].lines: A number is required: take 5 out of quotes.']],
    ['no bottom', `a: ${'['.repeat(100_000)}`, ['1:1 The file is nested too deeply to be read.']],
    ['a name twice', 'users: []\nusers: []\n', ['2:1 This is not YAML: Map keys must be unique.']],
    ['an alias of nothing', 'users: [*a]\n', ['1:9 This is not YAML: There is no anchor &a before this alias.']],
    ['a list', '- 1\n', ['f:1:1: Expected settings by their names, not a list.']],
    ['an unknown part', 'user: []\n', ['f:1:1: user: There is no setting user here. Did you mean users?']],
    ['no key', 'users:\n  - name: A\n', ['f:2:5: users[0].key: This setting is required.']],
    [
      'a bad key',
      'users:\n  - key: A B\n',
      ['f:2:10: users[A B].key: A key has at most 50 characters of a-z, 0-9, _ and -, a letter first.'],
    ],
    ['a key twice', 'dnc_groups: [{ key: a }, { key: a }]\n', ['f:1:33: dnc_groups[a].key: The key a is already in this list.']],
    ['text for settings', 'users:\n  - 5\n', ['f:2:5: users[0]: Expected settings by their names, not 5.']],
    ['a swapped letter', ofType('nmae: A'), [`f:5:9: ${SOLAR}.nmae: There is no setting nmae here. Did you mean name?`]],
    ['a number as text', ofType('name: 7'), [`f:5:15: ${SOLAR}.name: Text is required: put 7 into quotes.`]],
    [
      'an unknown state of a demanded consent',
      ofType('consent_by_state: { ZZ: written }'),
      [expect.stringMatching(/consent_by_state\.ZZ: ZZ is not one of: AL, AK, /)],
    ],
    ['text as a flag', ofType('active: yes'), [`f:5:17: ${SOLAR}.active: Expected true or false, not yes.`]],
    [
      'an unquoted phone number',
      ofType('inbound_numbers: [+12125550150]'),
      [`f:5:27: ${SOLAR}.inbound_numbers[0]: Text is required: put +12125550150 into quotes.`],
    ],
    ['too small a number', ofType('cadence: { delays: [5] }'), [`f:5:29: ${SOLAR}.cadence.delays[0]: At least 60 required, not 5.`]],
    [
      'a time that will never come',
      ofType('cadence: { delays: [9007199254740991] }'),
      [`f:5:29: ${SOLAR}.cadence.delays[0]: At most 31536000 allowed, not 9007199254740991.`],
    ],
    [
      'an endless time',
      ofType('cadence: { transfer_unavailable_delay: .inf }'),
      [`f:5:48: ${SOLAR}.cadence.transfer_unavailable_delay: A whole number is required, not .inf.`],
    ],
    [
      'parts of seconds',
      ofType('cadence: { delays: [60.5] }'),
      [`f:5:29: ${SOLAR}.cadence.delays[0]: A whole number is required, not 60.5.`],
    ],
    [
      'more lines than there is room for',
      'users:\n  - { key: acme, lines: 10001 }\n',
      ['f:2:25: users[acme].lines: At most 10000 allowed, not 10001.'],
    ],
    ['an empty list', ofType('cadence: { delays: [] }'), [`f:5:28: ${SOLAR}.cadence.delays: At least 1 in the list required, not 0.`]],
    [
      'an escalation that asks first',
      ofType('escalation: { mode: warm }'),
      [`f:5:29: ${SOLAR}.escalation.mode: warm is not one of: blind.`],
    ],
    [
      'none of a few words',
      ofType('transfer: { mode: wram }'),
      [`f:5:27: ${SOLAR}.transfer.mode: wram is not one of: warm, blind. Did you mean warm?`],
    ],
    [
      'settings below one that is unknown',
      ofType('cadence: { delays_by_outcome: { NO_ANSWR: [60] } }'),
      [`f:5:41: ${SOLAR}.cadence.delays_by_outcome.NO_ANSWR: There is no setting NO_ANSWR here. Did you mean no_answer?`],
    ],
    [
      'a place and a constant',
      'users: [{ key: a, sources: [{ key: s, mapping: [{ to: email, from: a, constant: a@b.co }] }] }]\n',
      ['f:1:49: users[a].sources[s].mapping[0]: Give `from` or `constant`, not both.'],
    ],
    [
      'mistakes in several entries of a mapping, and in all of it',
      'users: [{ key: a, ingestion_urls: [{ key: u, mapping: [{ to: email, from: a, constant: a@b.co }, { to: email, from: ["a[", "b]"] }] }] }]\n',
      [
        'f:1:56: users[a].ingestion_urls[u].mapping[0]: Give `from` or `constant`, not both.',
        'f:1:55: users[a].ingestion_urls[u].mapping: A lead field is mapped twice. Name several sources in one `from`.',
        'f:1:117: users[a].ingestion_urls[u].mapping[1].from: a[ is not a path. Write a path such as a[0].b.',
        'f:1:117: users[a].ingestion_urls[u].mapping[1].from: b] is not a path. Write a path such as a[0].b.',
      ],
    ],
    [
      'a blank name',
      'users: [{ key: a, name: "" }, { key: b, name: "  " }]\n',
      [
        'f:1:25: users[a].name: This must be one line of text, and not blank.',
        'f:1:47: users[b].name: This must be one line of text, and not blank.',
      ],
    ],
    ['a name on two lines', ofType('name: "a\\nb"'), [`f:5:15: ${SOLAR}.name: This must be one line of text, and not blank.`]],
    [
      'keys of metadata on two lines',
      ofType('consent_field: "a\\nb"\n        lead_metadata_fields: [{ key: "a\\rb" }]\n        calendar: { representative_field: "" }'),
      [
        `f:5:24: ${SOLAR}.consent_field: This must be one line of text, and not blank.`,
        `f:7:43: ${SOLAR}.calendar.representative_field: This must be one line of text, and not blank.`,
        `f:6:39: ${SOLAR}.lead_metadata_fields[a\rb].key: This must be one line of text, and not blank.`,
      ],
    ],
    [
      'a mapping to a key on two lines',
      'users: [{ key: a, sources: [{ key: s, mapping: [{ to: "metadata.a\\nb", from: "x[" }] }] }]\n',
      ['f:1:55: users[a].sources[s].mapping[0].to: A metadata key must be one line of text, and not blank.'],
    ],
    [
      'invalid paths',
      'users: [{ key: a, ingestion_urls: [{ key: u, mapping: [{ to: email, from: "a[b" }, { to: us_state, from: [a.b, "c[]"] }] }] }]\n',
      [
        'f:1:75: users[a].ingestion_urls[u].mapping[0].from: a[b is not a path. Write a path such as a[0].b.',
        'f:1:106: users[a].ingestion_urls[u].mapping[1].from: c[] is not a path. Write a path such as a[0].b.',
      ],
    ],
    [
      'an invalid holiday',
      'users: [{ key: a, calling_hours: { holidays: [labor-day, juneteen] } }, { key: b, calling_hours: { holidays: federl } }]\n',
      [
        expect.stringMatching(
          /^f:1:58: users\[a\]\.calling_hours\.holidays\[1\]: juneteen is not one of: new-years-day, .*new-years-eve\. Did you mean juneteenth\?$/,
        ),
        'f:1:110: users[b].calling_hours.holidays: federl is not one of: none, federal, a list. Did you mean federal?',
      ],
    ],
    [
      'a secret in the file',
      'agents: [{ key: a, url: https://a.co, secrets: [whsec_x] }]\n',
      [`f:1:49: agents[a].secrets[0]: A secret must come from the environment: write \${NAME}.`],
    ],
  ])('a configuration file is refused with the position and reason of each mistake: %s', (_, yaml, expected) => {
    expect(complaints(yaml)).toEqual(expected)
  })

  it.each(['$', 'a.b[0].c', 'a[b][c]', '[1] First name', 'q1. Your name?', 'a b'])(
    'a configuration file may map a lead field from the payload path %s',
    (place) => {
      const mapping = `[{ to: phone_number, from: phone }, { to: email, from: '${place}' }]`
      expect(complaints(`users: [{ key: a, ingestion_urls: [{ key: u, mapping: ${mapping} }] }]`)).toEqual([])
    },
  )

  it('a configuration file may contain the replacement character U+FFFD', () => {
    expect(complaints('users: [{ key: a, name: "\uFFFD" }]')).toEqual([])
  })

  it('a configuration file gets all its mistakes reported at once', () => {
    expect(complaints(ofType('agnt: a\n        active: 1\n        lead_metadata_fields: [{ label: x }]'))).toHaveLength(3)
  })

  it('a configuration file may use aliases and merges, and each mistake is reported where it is written', () => {
    const yaml = 'x-hours: &h { windows: 5 }\nusers:\n  - key: a\n    calling_hours: *h\n  - key: b\n    throttle: { <<: { foo: 1 } }\n'
    expect(complaints(yaml)).toEqual([
      'f:1:24: users[a].calling_hours.windows: Expected settings by their names, not 5.',
      'f:6:23: users[b].throttle.foo: There is no setting foo here. The known settings are: sustained_per_day, burst_per_minute.',
    ])
  })

  it('a configuration file has an up-to-date JSON schema for editors (npm run generate writes it)', () => {
    expect(configurationJsonSchema()).toEqual(published)
  })
})
