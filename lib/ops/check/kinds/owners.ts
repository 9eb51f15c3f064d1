import * as v from 'valibot'
import { ApiKey } from '#shared/accounts/configuration.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { readAgent } from '#shared/agents/agent-store.ts'
import { dueAfter, isDueListEmpty } from '#shared/backlog/due.ts'
import { isPaused } from '#shared/backlog/rules/holders.ts'
import { getLines } from '#shared/calling/line-store.ts'
import { getReadableLeads } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import {
  apiKeyKey,
  BREAKERS,
  breakerKey,
  dueAt,
  dueKey,
  heldKey,
  type Key,
  memberKey,
  ownedApiKeyKey,
  parkedKey,
  UNPARKING,
  userKey,
  WAITERS,
  waitersKey,
} from '#shared/platform/keys.ts'
import { changeAsRead, stillAsRead } from '#shared/platform/table/as-read.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { memberWrite } from '#shared/stops/dnc-group-store.ts'
import { type DamageKind, idIn } from '../kind.ts'

const Anything = v.record(v.string(), v.unknown())

const isMarked = async (key: Key): Promise<boolean> => (await getItem(Anything, key))?.['due_key'] !== undefined

const mark = (key: Key, due_key: string, owner: number): Promise<boolean> =>
  changeAsRead({ ...key }, ['due_key'], { set: { marked_time: now(), due_key, due_at: dueAt(now(), 0, owner) } })

const waitingUnmarked: DamageKind = {
  kind: 'waiting-not-marked',
  at: 'OWNER',
  about: 'An owner has leads that wait for a line and is not among the owners to look at: after the last call ends nobody calls them.',
  look: async (where) => {
    const owner = idIn(where)
    if ((await isDueListEmpty(dueKey('WAIT', owner, 0))) || (await isMarked(waitersKey(owner)))) return undefined
    return {
      message: `User ${owner} has leads that wait for a line and no sweep looks at them: once all lines are free nobody calls them.`,
      remedy: 'have the sweep look at them',
      mend: () => mark(waitersKey(owner), WAITERS, owner),
    }
  },
}

/** Parked leads that are read per owner. */
const PARKED_READ = 500

const parkedUnmarked: DamageKind = {
  kind: 'parked-not-marked',
  at: 'OWNER',
  about: 'Leads are parked although their owner is not paused, and nobody sends them on: they are not called any more.',
  look: async (where) => {
    const owner = idIn(where)
    const { entries } = await dueAfter(dueKey('PARKED', owner, 0), null, PARKED_READ)
    const ids = entries.map(({ lead }) => lead)
    const [lines, { leads }] = await Promise.all([getLines(owner), getReadableLeads(ids)])
    const stuck = [...leads.values()].find((lead) => lead.due_list === 'PARKED' && !isPaused({ lead, lines }))
    if (!stuck || (await isMarked(parkedKey(owner)))) return undefined
    return {
      message: `Lead ${stuck.id} of user ${owner} is parked though it is not paused, and nobody sends it on: it is not called any more.`,
      remedy: 'have the sweep send on the parked leads',
      mend: () => mark(parkedKey(owner), UNPARKING, owner),
    }
  },
}

const heldUnmarked: DamageKind = {
  kind: 'held-not-marked',
  at: 'AGENT',
  about: 'Leads are held for an agent that nobody looks at: when it is back, they are not called all the same.',
  look: async (agent) => {
    // A missing agent is no damage: saving it makes the sweep look at its held leads.
    if (!(await readAgent(agent)) || (await isMarked(breakerKey(agent))) || (await isDueListEmpty(heldKey(agent)))) return undefined
    return {
      message: `Leads are held for agent ${agent}, and no sweep looks whether it is back: they are not called any more.`,
      remedy: 'have the sweep look at it',
      mend: () => changeAsRead({ ...breakerKey(agent) }, ['due_key'], { set: { due_key: BREAKERS, due_at: dueAt(now(), 0, 0) } }),
    }
  },
}

const keyUnlisted: DamageKind = {
  kind: 'api-key-not-listed',
  at: 'SHA256',
  about: 'An API key works and is not among the keys of its user: nobody sees it, and it cannot be revoked.',
  look: async (hash) => {
    const key = await getItem(ApiKey, apiKeyKey(hash))
    if (!key || (await getItem(Anything, ownedApiKeyKey(key.user, hash)))) return undefined
    return {
      message: `An API key of user ${key.user} works and is not in the list of keys: nobody sees it, and it cannot be revoked.`,
      remedy: 'list it',
      mend: async () => {
        const put = { ...ownedApiKeyKey(key.user, hash) }
        return (await transact([{ put }, stillAsRead(apiKeyKey(hash), { user: key.user }, ['user'])])).committed
      },
    }
  },
}

const groupLacksUser: DamageKind = {
  kind: 'group-lacks-user',
  at: 'USER',
  about: 'A user is not among the users of its DNC group: stops that others of the group are told do not show on its leads.',
  look: async (where) => {
    const user = await readUser(idIn(where))
    if (!user || (await getItem(Anything, memberKey(user.dnc_group, user.id)))) return undefined
    const { id, dnc_group } = user
    return {
      message: `User ${id} is not among the users of the DNC group ${dnc_group}: stops told to the others do not show on its leads.`,
      remedy: 'add it to its group',
      mend: async () => (await transact([memberWrite(user), stillAsRead(userKey(id), { dnc_group }, ['dnc_group'])])).committed,
    }
  },
}

export const owners: readonly DamageKind[] = [waitingUnmarked, parkedUnmarked, heldUnmarked, keyUnlisted, groupLacksUser]
