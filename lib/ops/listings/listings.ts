import type { IngestionUrl } from '#shared/ingestion/ingestion.ts'
import type { State, UserState } from '../state.ts'
import { leadTypeView, sourceView, urlView, userView } from './views.ts'

/** The configuration, as tables and as JSON. Secrets are not shown. */

export const LISTED = ['users', 'lead-types', 'agents', 'sources', 'urls', 'dnc-groups', 'emergencies'] as const
type Listed = (typeof LISTED)[number]

interface Listing {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  readonly none: string
  readonly document: unknown
}

const yes = (flag: boolean): string => (flag ? 'yes' : 'no')

/** The user's key, or its id when it has no key. */
const nameOf = ({ key, user }: UserState): string => key ?? `${user.id}`

const ownerName = ({ users }: State, owner: number): string => {
  const found = users.get(owner)
  return found ? nameOf(found) : `${owner}`
}

const withoutSecret = <T extends { readonly calendar: { readonly url: string; readonly representative_field: string } | null }>(
  type: T,
) => ({
  ...type,
  calendar: type.calendar && { url: type.calendar.url, representative_field: type.calendar.representative_field },
})

const users = (state: State): Listing => ({
  columns: ['key', 'id', 'name', 'staff', 'lines', 'default lead type', 'dnc group', 'lead types', 'sources'],
  rows: [...state.users.values()].map(({ key = '', user, leadTypes, sources }) => {
    const { default_lead_type: type, dnc_group } = userView(user, state)
    const own = [key, user.id, user.name, yes(user.is_staff), user.lines]
    return [...own, String(type ?? ''), String(dnc_group ?? ''), leadTypes.length, sources.length]
  }),
  none: 'No users have keys.',
  document: [...state.users.values()].map(({ key = null, user }) => ({ key, id: user.id, ...userView(user, state) })),
})

const leadTypes = (state: State): Listing => {
  const all = [...state.users.values()].flatMap((owner) =>
    owner.leadTypes.map((type) => ({ owner: nameOf(owner), key: state.keyOf('LEADTYPE', type.id), type })),
  )
  return {
    columns: ['user', 'key', 'id', 'name', 'active', 'agent', 'calls', 'inbound numbers'],
    rows: all.map(({ owner, key = '', type }) => {
      const { id, name, active, agent, cadence, inbound_numbers } = type
      return [owner, key, id, name, yes(active), agent, cadence.max_attempts, inbound_numbers.join(' ')]
    }),
    none: 'There are no lead types.',
    document: all.map(({ owner, key = null, type }) => ({ user: owner, key, id: type.id, ...leadTypeView(withoutSecret(type)) })),
  }
}

const agents = (state: State): Listing => ({
  columns: ['key', 'platform', 'assistant', 'caller numbers', 'url', 'secrets'],
  rows: [...state.agents.values()].map(({ id, platform, url, secrets }) => {
    const onPlatform = platform ? [platform.name, platform.assistant, platform.from.length] : ['', '', '']
    return [id, ...onPlatform, url, platform ? '' : secrets.length]
  }),
  none: 'There are no agents.',
  document: [...state.agents.values()].map(({ id, url, secrets, platform }) => ({
    key: id,
    url,
    secrets: secrets.length,
    platform: platform?.name ?? null,
    assistant: platform?.assistant ?? null,
    from: platform?.from ?? [],
  })),
})

const sources = (state: State): Listing => {
  const all = [...state.users.values()].flatMap((owner) => owner.sources.map((source) => ({ owner: nameOf(owner), source })))
  return {
    columns: ['user', 'key', 'lead type', 'mode', 'lookup column', 'fields'],
    rows: all.map(({ owner, source }) => {
      const type = sourceView(source, state)['lead_type'] ?? ''
      return [owner, source.name, String(type), source.mode, source.lookup_column ?? '', source.mapping.length]
    }),
    none: 'There are no sources.',
    document: all.map(({ owner, source }) => ({ user: owner, key: source.name, ...sourceView(source, state) })),
  }
}

const urls = (state: State, baseUrl: string): Listing => {
  const addressOf = ({ id }: IngestionUrl): string => `${baseUrl}/api/ingest-lead/${id}/`
  const all = [...state.urls.values()].map((url) => ({ owner: ownerName(state, url.owner), key: state.keyOf('URL', url.id), url }))
  return {
    columns: ['user', 'key', 'lead type', 'token', 'fields', 'address'],
    rows: all.map(({ owner, key = '', url }) => {
      const type = urlView(url, state)['lead_type'] ?? ''
      return [owner, key, String(type), yes(url.token_required), url.mapping.length, addressOf(url)]
    }),
    none: 'There are no ingestion URLs.',
    document: all.map(({ owner, key = null, url }) => ({
      user: owner,
      key,
      id: url.id,
      address: addressOf(url),
      ...urlView(url, state),
    })),
  }
}

const groups = (state: State): Listing => {
  const members = (group: string): string[] => [...state.users.values()].filter(({ user }) => user.dnc_group === group).map(nameOf)
  const shared = [...state.groups].filter((group) => !/^\d+$/.test(group)).map((key) => ({ key, users: members(key) }))
  return {
    columns: ['key', 'users'],
    rows: shared.map(({ key, users }) => [key, users.join(' ')]),
    none: 'No users share a do-not-contact list: each has its own.',
    document: shared,
  }
}

const emergencies = ({ emergencies: states }: State): Listing => ({
  columns: ['state'],
  rows: states.map((state) => [state]),
  none: 'No emergency is declared.',
  document: states,
})

const LISTINGS = { users, 'lead-types': leadTypes, agents, sources, urls, 'dnc-groups': groups, emergencies } as const

/** @param baseUrl of the service, without a slash at its end */
export const listingOf = (listed: Listed, state: State, baseUrl: string): Listing => LISTINGS[listed](state, baseUrl)
