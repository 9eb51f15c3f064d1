import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { Throttle, User } from '#shared/accounts/configuration.ts'
import { changeUserSettings, makeUser } from '#shared/accounts/user-store.ts'
import { newWebhookSecret } from '#shared/accounts/webhook-secret.ts'
import { didYouMean } from '#shared/http/fields/nearest.ts'
import type { DeclaredUser } from '../configuration/declared.ts'
import { ownGroup, userView, type View } from '../listings/views.ts'
import { OpsRefusal } from '../refusal.ts'
import { type Completed, desired, type Ids, nameFor, note, type Planning } from './planning.ts'
import { checkLeadType, leadTypeId, type Owner } from './references.ts'

const Settings = v.object({
  ...v.omit(User, ['id', 'default_lead_type', 'dnc_group', 'webhook_secrets', 'older_secret_until', 'rotation']).entries,
  throttle: v.nullable(Throttle),
})

/** `default_lead_type` and `dnc_group` name other entities. They are checked elsewhere. */
const complete = (whole: View): Completed => {
  const { default_lead_type = null, dnc_group = null } = whole
  const read = v.safeParse(User, { ...whole, id: 1, default_lead_type: null, dnc_group: '', webhook_secrets: [] })
  if (!read.success) return { issues: read.issues }
  return { view: { ...userView(read.output, { keyOf: () => undefined }), default_lead_type, dnc_group } }
}

const checkGroup = ({ state, mistakes }: Planning, { declared, state: found }: Owner, groups: readonly string[]): void => {
  const { dnc_group: said } = declared.said
  const path = [...declared.path, 'dnc_group']
  if (said !== null && typeof said !== 'string') return
  const now = found?.user.dnc_group
  if (now !== undefined && now !== (said ?? ownGroup(found?.user.id ?? 0))) {
    mistakes.add(
      path,
      `The user ${declared.key} is in the DNC group ${now} and cannot leave it. In another group, its stops would not apply.`,
    )
  } else if (said !== null && !groups.includes(said) && !state.groups.has(said)) {
    const hint = didYouMean(said, [...groups, ...state.namesOf('DNCGROUP').map(({ keys }) => keys.join('/'))])
    mistakes.add(path, `There is no DNC group ${said} under dnc_groups or in the service.${hint}`)
  }
}

const settingsOf = (after: View, user: string, ids: Ids) => ({
  ...v.parse(Settings, { throttle: null, ...after }),
  default_lead_type: leadTypeId(ids, user, after['default_lead_type']),
})

/** The users of the file, with their state in the table if they exist. */
export const ownersIn = (planning: Planning, users: readonly DeclaredUser[]): Owner[] =>
  users.map((declared) => {
    const { key, entry, path } = declared
    const exists = planning.state.users.has(entry?.id ?? 0)
    const id = nameFor(planning, { kind: 'USER', keys: [key], path, said: entry?.id, exists })
    return { declared, state: planning.state.users.get(Number(id)) }
  })

export const planUsers = (planning: Planning, owners: readonly Owner[], groups: readonly string[]): void => {
  for (const owner of owners) {
    const { declared, state } = owner
    const { key, entry, path } = declared
    checkGroup(planning, owner, groups)
    checkLeadType(planning, owner, declared.said['default_lead_type'], [...path, 'default_lead_type'])
    if (!entry) continue
    const { key: _, id: __, ...said } = entry
    const before = state && userView(state.user, planning.state)
    const thing = { kind: 'user' as const, name: key, path, before, said, complete }
    const after = desired(planning, thing)
    if (!after) continue
    const isNamed = planning.state.idOf('USER', [key]) === undefined
    if (before) {
      const changed = Object.keys({ ...before, ...after }).filter((name) => !isDeepStrictEqual(before[name], after[name]))
      const write = async (ids: Ids): Promise<void> => {
        const settings = Object.entries(settingsOf(after, key, ids)).filter(([name]) => changed.includes(name))
        if (settings.length > 0) await changeUserSettings(ids.number('USER', [key]), Object.fromEntries(settings))
      }
      note(planning, { ...thing, after, isNamed, write })
    } else {
      const secret = newWebhookSecret()
      planning.secrets.push({ kind: thing.kind, name: key, of: `webhooks of user ${key}`, secret })
      const write = async (ids: Ids): Promise<void> => {
        const id = ids.number('USER', [key])
        const dnc_group = entry.dnc_group ?? ownGroup(id)
        const { throttle, ...settings } = settingsOf(after, key, ids)
        const user = { ...settings, ...(throttle && { throttle }), id, dnc_group, webhook_secrets: [secret] }
        // Never overwrites a user that somebody else has just created: it has its own secret.
        if (!(await makeUser(user))) throw new OpsRefusal(`Somebody else has just set up the user ${key}. Apply the file again.`)
      }
      note(planning, { ...thing, after, isNamed, write })
    }
  }
}
