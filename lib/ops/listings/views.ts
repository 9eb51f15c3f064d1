import type { Agent, LeadType, User } from '#shared/accounts/configuration.ts'
import type { IngestionUrl, Source } from '#shared/ingestion/ingestion.ts'
import type { State } from '../state.ts'

/** An entity as a configuration file shows it: without ids, with keys as references. */
export type View = Readonly<Record<string, unknown>>

type Names = Pick<State, 'keyOf'>

/** The lead type's key, or its id when it has no key. */
const leadTypeName = (id: number | null, { keyOf }: Names): string | number | null => (id === null ? null : (keyOf('LEADTYPE', id) ?? id))

/** The DNC group of a user who shares the list with nobody. */
export const ownGroup = (user: number): string => `${user}`

export const userView = (
  { id, name, is_staff, default_lead_type, dnc_group, lines, calling_hours, throttle }: User,
  names: Names,
): View => ({
  name,
  is_staff,
  default_lead_type: leadTypeName(default_lead_type, names),
  dnc_group: dnc_group === ownGroup(id) ? null : dnc_group,
  lines,
  calling_hours: calling_hours ?? null,
  ...(throttle && { throttle }),
})

export const leadTypeView = ({ id, owner, ...settings }: LeadType): View => settings

/** Without the sealed credentials: their hash shows whether they change. */
export const agentView = ({ id, platform, ...settings }: Agent): View => {
  if (!platform) return settings
  const { credentials, former, ...shown } = platform
  return { ...settings, platform: shown }
}

export const sourceView = ({ owner, name, lead_type, ...settings }: Source, names: Names): View => ({
  lead_type: leadTypeName(lead_type, names),
  ...settings,
})

export const urlView = ({ id, owner, lead_type, ...settings }: IngestionUrl, names: Names): View => ({
  lead_type: leadTypeName(lead_type, names),
  ...settings,
})
