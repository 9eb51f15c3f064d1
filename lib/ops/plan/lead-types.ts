import * as v from 'valibot'
import { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { newWebhookSecret } from '#shared/accounts/webhook-secret.ts'
import { getInboundNumber } from '#shared/agents/inbound-number-store.ts'
import { didYouMean } from '#shared/http/fields/nearest.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { LONGEST_RELATIONSHIP } from '#shared/registries/registry-use.ts'
import type { Declared, DeclaredUser } from '../configuration/declared.ts'
import type { Path } from '../configuration/document.ts'
import type { LeadTypeEntry } from '../configuration/schema.ts'
import { leadTypeView, type View } from '../listings/views.ts'
import type { UserState } from '../state.ts'
import { type Completed, checkAddress, desired, nameFor, note, type Planning, secretOf } from './planning.ts'

/** A lead type of the file, before and after. */
export interface PlannedType {
  readonly path: Path
  readonly name: string
  readonly before: LeadType | undefined
  readonly after: LeadType
}

/** Placeholders until the real ids are known. */
const SOME = { id: 1, owner: 1 }

const complete = (whole: View): Completed => {
  const read = v.safeParse(LeadType, { ...whole, ...SOME })
  return read.success ? { view: leadTypeView(read.output) } : { issues: read.issues }
}

const METADATA_FIELD = { helpText: '', type: 'string', required: false }

/** The file's calendar settings with the secret; undefined when the secret is invalid. */
const calendarSaid = (
  planning: Planning,
  { entry, path, before, name }: { entry: LeadTypeEntry; path: Path; before: LeadType | undefined; name: string },
): { readonly calendar: unknown } | undefined => {
  const { calendar } = entry
  if (!calendar) return { calendar }
  const { secret, ...rest } = calendar
  checkAddress(planning, rest.url, [...path, 'calendar', 'url'])
  if (secret === null) return { calendar: { ...rest, secret } }
  if (secret === undefined) {
    if (before?.calendar) return { calendar: rest }
    const made = newWebhookSecret()
    planning.secrets.push({ kind: 'lead type', name, of: `calendar of lead type ${name}`, secret: made })
    return { calendar: { ...rest, secret: made } }
  }
  const given = secretOf(planning, secret, [...path, 'calendar', 'secret'])
  return given === undefined ? undefined : { calendar: { ...rest, secret: given } }
}

const checkAgent = ({ state, mistakes }: Planning, agent: unknown, path: Path, declared: ReadonlySet<string>): void => {
  if (typeof agent !== 'string' || declared.has(agent) || state.agents.has(agent)) return
  const hint = didYouMean(agent, [...declared, ...state.agents.keys()])
  mistakes.add([...path, 'agent'], `There is no agent ${agent} in this file or in the service.${hint}`)
}

/** The longest relationship is the default, and only a purchase permits it. So the file should say which one is meant. */
const warnOfRelationship = (
  { notes }: Planning,
  { registries: said }: LeadTypeEntry,
  { name, after: { registries } }: PlannedType,
): void => {
  const isDefault = said && said.relationship_days === undefined && registries?.relationship_days === LONGEST_RELATIONSHIP
  if (!isDefault || registries.exemption !== 'relationship') return
  const law = `Without relationship_days, ${name} calls listed numbers for ${LONGEST_RELATIONSHIP} days, as after a purchase: 47 CFR 64.1200(f)(5).`
  notes.push(`Warning: ${law} If relationship_field can be the day of an inquiry, add to registries: relationship_days: 90`)
}

interface Owner {
  readonly declared: DeclaredUser
  readonly state: UserState | undefined
  readonly agents: ReadonlySet<string>
}

const planLeadType = (planning: Planning, { declared, state, agents }: Owner, { key, entry, path, said: raw }: Declared<LeadTypeEntry>) => {
  const keys = [declared.key, key]
  const name = keys.join('/')
  const ofId = (id: unknown): LeadType | undefined => state?.leadTypes.find((type) => type.id === id)
  const isNamed = planning.state.idOf('LEADTYPE', keys) === undefined
  const id = nameFor(planning, { kind: 'LEADTYPE', keys, path, said: entry?.id, exists: ofId(entry?.id) !== undefined })
  const found = ofId(id)
  checkAgent(planning, raw['agent'] ?? found?.agent, path, agents)
  if (!entry) return undefined
  const calendar = calendarSaid(planning, { entry, path, before: found, name })
  if (!calendar) return undefined
  const { key: _, id: __, lead_metadata_fields: fields, ...settings } = entry
  const filled = fields && { lead_metadata_fields: fields.map((field) => ({ label: field.key, ...METADATA_FIELD, ...field })) }
  const said = { ...settings, ...filled, ...calendar }
  const thing = { kind: 'lead type' as const, name, path, before: found && leadTypeView(found), said, complete }
  const after = desired(planning, thing)
  if (!after) return undefined
  const planned: PlannedType = { path, name, before: found, after: v.parse(LeadType, { ...after, ...SOME }) }
  warnOfRelationship(planning, entry, planned)
  const kept = found?.inbound_numbers.filter((number) => planned.after.inbound_numbers.includes(number)) ?? []
  note(planning, {
    ...thing,
    after,
    isNamed,
    ...(found && kept.length < found.inbound_numbers.length && { giveUp: () => saveLeadType({ ...found, inbound_numbers: kept }) }),
    write: (ids) => saveLeadType({ ...planned.after, id: ids.number('LEADTYPE', keys), owner: ids.number('USER', [declared.key]) }),
  })
  return planned
}

export const planLeadTypes = (planning: Planning, users: readonly Omit<Owner, 'agents'>[], agents: ReadonlySet<string>): PlannedType[] =>
  users.flatMap((owner) => owner.declared.leadTypes.flatMap((declared) => planLeadType(planning, { ...owner, agents }, declared) ?? []))

const WIDTH = 20

/** Reports numbers that already belong to another lead type, in the file or in the table. */
export const checkInboundNumbers = async ({ mistakes, state }: Planning, types: readonly PlannedType[]): Promise<void> => {
  const taken = new Map<string, string>()
  const givenUp = new Set(
    types.flatMap(({ before, after }) => before?.inbound_numbers.filter((number) => !after.inbound_numbers.includes(number)) ?? []),
  )
  const added = types.flatMap(({ path, name, before, after }) =>
    after.inbound_numbers.flatMap((number, at) => {
      const other = taken.get(number)
      taken.set(number, name)
      const where = [...path, 'inbound_numbers', at]
      if (other !== undefined) mistakes.add(where, `${number} already belongs to ${other}. A number can belong to only one lead type.`)
      return other !== undefined || before?.inbound_numbers.includes(number) ? [] : [{ number, where }]
    }),
  )
  await inLanes(WIDTH, added, async ({ number, where }) => {
    const holder = givenUp.has(number) ? undefined : await getInboundNumber(number)
    if (!holder) return
    const name = `${state.keyOf('USER', holder.owner) ?? holder.owner}/${state.keyOf('LEADTYPE', holder.lead_type) ?? holder.lead_type}`
    mistakes.add(where, `${number} already belongs to ${name}. A number can belong to only one lead type.`)
  })
}
