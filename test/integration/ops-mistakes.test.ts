import { describe, expect, it } from '@jest/globals'
import { invalidPhone } from '#shared/http/fields/phone.ts'
import { reserveIds } from '#shared/platform/ids/ids.ts'
import { COMPANY, variable } from '#test/support/ops.ts'
import { opsWorld } from '#test/support/ops-world.ts'

// The world has given itself ids.
const { tool } = opsWorld({
  prepare: async (started) => {
    await reserveIds(100)
    await started.apply(COMPANY)
  },
})

describe('a settings file', () => {
  const DAILY = '{ key: daily, mode: upsert, lookup_column: Nr, mapping: [{ to: phone_number, from: Phone }] }'
  const ofAcme = (setting: string): string => `users: [{ key: acme, ${setting} }]`

  it.each([
    [
      'an agent',
      ofAcme('lead_types: [{ key: solar, agent: voise }]'),
      '1:56: users[acme].lead_types[solar].agent: There is no agent voise in this file or in the service. Did you mean voice?',
    ],
    [
      'a lead type',
      ofAcme('default_lead_type: solr'),
      '1:41: users[acme].default_lead_type: The user acme has no lead type solr. Did you mean solar?',
    ],
    [
      'a lead type of another user',
      'users: [{ key: beta, name: B, default_lead_type: solar }]',
      '1:50: users[beta].default_lead_type: The user beta has no lead type solar. The user acme has a lead type of that name.',
    ],
    [
      'a DNC group',
      'users: [{ key: beta, name: B, dnc_group: brnads }]',
      '1:42: users[beta].dnc_group: There is no DNC group brnads under dnc_groups or in the service. Did you mean brands?',
    ],
    [
      'another DNC group',
      ofAcme('dnc_group: null'),
      '1:33: users[acme].dnc_group: The user acme is in the DNC group brands and cannot leave it. In another group, its stops would not apply.',
    ],
    [
      'a lookup column that is not mapped',
      ofAcme(`sources: [${DAILY}]`),
      '1:75: users[acme].sources[daily].lookup_column: The lookup column must be mapped to one of external_id, phone_number and email, without `join`. Only mode create works without one.',
    ],
    [
      "a number of another user's",
      "users: [{ key: beta, name: B, lead_types: [{ key: x, name: X, agent: voice, inbound_numbers: ['+12125550150'] }] }]",
      '1:95: users[beta].lead_types[x].inbound_numbers[0]: +12125550150 already belongs to acme/solar. A number can belong to only one lead type.',
    ],
    [
      'half a thing',
      'users: [{ key: beta, lead_types: [{ key: x, name: X }] }]',
      '1:9: users[beta].name: This setting is required.\ncompany.yaml:1:35: users[beta].lead_types[x].agent: This setting is required.',
    ],
    [
      'a variable',
      `agents: [{ key: voice, secrets: ["${variable('OPS_NOTHING')}"] }]`,
      '1:34: agents[voice].secrets[0]: The environment variable OPS_NOTHING is not set.',
    ],
    [
      'an address that is not https',
      'agents: [{ key: voice, url: ftp://a.example.com/d }, { key: x, url: http://a.example.com/d }]',
      [
        '1:29: agents[voice].url: The address must be https. Only hosts that the deployment lists as private may use http.',
        'company.yaml:1:69: agents[x].url: The address must be https. Only hosts that the deployment lists as private may use http.',
      ].join('\n'),
    ],
    [
      'an address with a password',
      'agents: [{ key: voice, url: "https://user:pw@h.example.com/x" }]',
      '1:29: agents[voice].url: The address must not contain a user or password: requests are signed with the secret.',
    ],
    [
      'a private address of a calendar',
      ofAcme('lead_types: [{ key: solar, calendar: { url: https://10.0.0.7/ } }]'),
      '1:66: users[acme].lead_types[solar].calendar.url: The address is not public, and the deployment does not list it as a private host.',
    ],
    [
      'an agent to be removed',
      'remove: { agents: [voice] }',
      '1:20: remove.agents[0]: The lead type acme/solar uses the agent voice. Give it another agent first.',
    ],
    [
      'an agent to be removed that the file takes from its last lead type',
      `{ agents: [{ key: x, url: https://x.example.com/ }], ${ofAcme('lead_types: [{ key: solar, agent: x }]')}, remove: { agents: [voice] } }`,
      '1:137: remove.agents[0]: The lead type acme/solar uses the agent voice until this file is applied. Remove the agent afterwards.',
    ],
    [
      'what stays',
      'remove: { users: [acme] }',
      '1:11: remove.users: There is no setting users here. A user cannot be removed, because its leads belong to it. Revoke its keys with "keys revoke".',
    ],
    ['what belongs to nobody', 'remove: { sources: [daily] }', '1:21: remove.sources[0]: Put the user before the name, as in acme/daily.'],
    [
      'a litigator',
      'litigators: { file: no.txt, add: ["12"] }',
      `1:21: litigators.file: The file no.txt cannot be read.\ncompany.yaml:1:35: litigators.add[0]: 12: ${invalidPhone('12')}`,
    ],
  ])('apply refuses a settings file because of %s', async (_, yaml, mistakes) => {
    const { code, out, err } = await tool().apply(yaml)
    const count = mistakes.split('\n').length
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `company.yaml:${mistakes}\n${count} mistake${count === 1 ? '' : 's'}: nothing was written.\n`,
    })
  })

  it('a settings file may name a private host that the deployment allows', async () => {
    expect(await tool().apply('agents: [{ key: near, url: http://127.0.0.1:9/ }]', ['--dry-run'])).toMatchObject({ code: 0, err: '' })
  })

  it('apply counts all mistakes of a settings file, even those that it does not show', async () => {
    const { err } = await tool().apply(Array.from({ length: 13 }, (_, at) => `- *a${at}\n`).join(''))
    expect(err).toMatch(/\ncompany\.yaml:11:3: And 3 more mistakes, which may follow from these\.\n13 mistakes: nothing was written\.\n$/)
  })

  it('apply refuses a settings file that is not UTF-8 text', async () => {
    const { code, out, err } = await tool().apply(Buffer.from('users: [{ key: beta, name: "Müller" }]', 'latin1'))
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'The file company.yaml is not UTF-8 text.\n' })
  })

  it('apply removes a source once that the file names twice, and suggests a name for a missing one', async () => {
    const { out } = await tool().apply('remove: { sources: [acme/daily, acme/daily, acme/dialy] }', ['--dry-run'])
    expect(out).toContain('There is no source acme/dialy. There is nothing to remove. Did you mean acme/daily?\n')
    expect(out).toContain('\n0 new, 0 changed, 1 removed, 0 unchanged\n')
  })

  it('apply lists the mistakes of a settings file in its JSON output', async () => {
    const { code, out } = await tool().apply(ofAcme('lines: -1'), ['--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({
      applied: false,
      mistakes: [{ file: expect.any(String), line: 1, column: 29, path: 'users[acme].lines', message: 'At least 0 required, not -1.' }],
    })
  })
})
