import { stringify } from 'yaml'
import { listedLitigators } from '#shared/stops/litigator-store.ts'
import { phoneNumberOf } from '../arguments.ts'
import { type Output, table } from '../output.ts'
import { OpsRefusal } from '../refusal.ts'
import { readConfigurationState, type State, type UserState } from '../state.ts'
import { LISTED, listingOf } from './listings.ts'
import { agentView, leadTypeView, sourceView, urlView, userView, type View } from './views.ts'

/** The configuration, as a file that `apply` accepts. */

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) ? value.length === 0 : typeof value === 'object' && Object.keys(value).length === 0)

/** Drops empty settings. */
const short = (view: View): View => Object.fromEntries(Object.entries(view).filter(([, value]) => !isEmpty(value)))

/**
 * Drops the secret, since `apply` keeps a secret that the file does not name. A calendar without a secret says `secret: null`, so that it
 * stays without one.
 */
const withoutSecret = (view: View): View => {
  const { calendar } = view
  if (typeof calendar !== 'object' || calendar === null || !('secret' in calendar)) return view
  const { secret, ...rest } = calendar
  return { ...view, calendar: secret === null ? { ...rest, secret } : rest }
}

/** The key. An entity without a key gets a proposed key beside its id. */
const named = (key: string | undefined, id: number | string): View => (key === undefined ? { key: `new-${id}`, id } : { key })

const userOf = (state: State, { key, user, leadTypes, sources }: UserState): View => {
  const urls = [...state.urls.values()].filter(({ owner }) => owner === user.id)
  return short({
    ...named(key, user.id),
    ...userView(user, state),
    lead_types: leadTypes.map((type) => ({
      ...named(state.keyOf('LEADTYPE', type.id), type.id),
      ...short(withoutSecret(leadTypeView(type))),
    })),
    sources: sources.map((source) => ({ key: source.name, ...short(sourceView(source, state)), mapping: mappingOf(source.mapping) })),
    ingestion_urls: urls.map((url) => ({
      ...named(state.keyOf('URL', url.id), url.id),
      ...short(urlView(url, state)),
      mapping: mappingOf(url.mapping),
    })),
  })
}

/** Mapping entries as people write them. */
const mappingOf = (mapping: readonly View[]): View[] =>
  mapping.map(({ from, otherwise, required, ...entry }) => ({
    to: entry['to'],
    ...(from !== undefined && { from: Array.isArray(from) && from.length === 1 ? from[0] : from }),
    ...short(entry),
    ...(otherwise !== 'keep' && { otherwise }),
    ...(required === true && { required }),
  }))

const HINT = '# yaml-language-server: $schema=lib/ops/schema.json\n'

/** @returns YAML of the configuration, without secrets, and without litigators, of whom only hashes are stored */
export const configurationYaml = (state: State): string => {
  const named = state.namesOf('DNCGROUP').map(({ keys }) => keys.join('/'))
  const file = short({
    dnc_groups: named.map((key) => ({ key })),
    agents: [...state.agents.values()].map((agent) => ({ key: agent.id, url: agentView(agent)['url'] })),
    users: [...state.users.values()].map((user) => userOf(state, user)),
    emergencies: state.emergencies,
  })
  return `${HINT}${stringify(file, { lineWidth: 140, flowCollectionPadding: true, aliasDuplicateObjects: false })}`
}

/** Shows whether numbers are on the list of litigators. The list holds only hashes. */
export const showLitigators = async (numbers: readonly string[], output: Output): Promise<void> => {
  if (numbers.length === 0) {
    throw new OpsRefusal(
      'Litigators are stored only as hashes and cannot be listed. Name phone numbers to see whether they are on the list.',
    )
  }
  const asked = [...new Set(numbers.map(phoneNumberOf))]
  const listed = await listedLitigators(asked)
  const rows = asked.map((number) => ({ phone_number: number, listed: listed.has(number) }))
  output.show(rows, () =>
    table(
      ['phone number', 'listed'],
      rows.map((row) => [row.phone_number, row.listed ? 'yes' : 'no']),
      '',
    ),
  )
}

/** @param baseUrl of the service, without a slash at its end */
export const showSetUp = async (what: string | undefined, asYaml: boolean, baseUrl: string, output: Output): Promise<void> => {
  const state = await readConfigurationState()
  if (asYaml) {
    output.say(configurationYaml(state).trimEnd())
    return
  }
  const wanted = LISTED.filter((listed) => what === undefined || listed === what)
  const listings = wanted.map((name) => ({ name, ...listingOf(name, state, baseUrl) }))
  const texts = listings.map(({ columns, rows, none }) => table(columns, rows, none))
  const document = Object.fromEntries(listings.map((listing) => [listing.name.replace('-', '_'), listing.document]))
  output.show(what === undefined ? document : listings[0]?.document, () =>
    what === undefined ? listings.map(({ name }, at) => `${name}\n\n${texts[at]}`).join('\n\n') : texts.join('\n'),
  )
}
