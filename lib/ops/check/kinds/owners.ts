import * as v from 'valibot'
import { ApiKey } from '#shared/accounts/configuration.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { readAgent } from '#shared/agents/agent-store.ts'
import { isDueListEmpty } from '#shared/backlog/due.ts'
import { addMark, isMarked } from '#shared/backlog/marks.ts'
import { allOwners } from '#shared/backlog/owners.ts'
import { listsOf } from '#shared/backlog/rules/holders.ts'
import { now } from '#shared/platform/clock.ts'
import { apiKeyKey, heldKey, memberKey, ownedApiKeyKey, userKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { stillAsRead } from '#shared/platform/table/as-read.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { memberWrite } from '#shared/stops/dnc-group-store.ts'
import { type DamageKind, idIn } from '../kind.ts'

const Anything = v.record(v.string(), v.unknown())

const LANES = 8

/** Whether an agent without a mark has leads in its list, or in a part that has no mark either. */
const isUnmarked = async (agent: string): Promise<boolean> => {
  const names = listsOf(agent, await allOwners())
  const found = await inLanes(LANES, names, async (name) => !(await isDueListEmpty(heldKey(name))) && !(await isMarked(name)))
  return found.includes(true)
}

const heldUnmarked: DamageKind = {
  kind: 'held-not-marked',
  at: 'AGENT',
  about: 'Leads are held for an agent that no sweep checks. These leads are not called even after the agent works again.',
  look: async (agent) => {
    // A missing agent is no damage. When it is created again, the sweep looks at the leads that wait for it.
    if (!(await readAgent(agent)) || (await isMarked(agent)) || !(await isUnmarked(agent))) return undefined
    return {
      message: `Leads are held for agent ${agent}, but no sweep checks whether it is back. They are not called any more.`,
      remedy: 'marking the agent for the sweep',
      repair: async () => {
        await addMark(agent, now())
        return true
      },
    }
  },
}

const keyUnlisted: DamageKind = {
  kind: 'api-key-not-listed',
  at: 'SHA256',
  about: 'An API key works but is missing from the list of keys of its user. Nobody sees it, and nobody can revoke it.',
  look: async (hash) => {
    const key = await getItem(ApiKey, apiKeyKey(hash))
    if (!key || (await getItem(Anything, ownedApiKeyKey(key.user, hash)))) return undefined
    return {
      message: `An API key of user ${key.user} works but is missing from the list of keys. Nobody sees it, and nobody can revoke it.`,
      remedy: 'adding it to the list',
      repair: async () => {
        const put = { ...ownedApiKeyKey(key.user, hash) }
        return (await transact([{ put }, stillAsRead(apiKeyKey(hash), { user: key.user }, ['user'])])).committed
      },
    }
  },
}

const groupLacksUser: DamageKind = {
  kind: 'group-lacks-user',
  at: 'USER',
  about: 'A user is missing from the list of users of its DNC group. Stops from other users of the group do not show on its leads.',
  look: async (where) => {
    const user = await readUser(idIn(where))
    if (!user || (await getItem(Anything, memberKey(user.dnc_group, user.id)))) return undefined
    const { id, dnc_group } = user
    return {
      message: `User ${id} is missing from the list of users of DNC group ${dnc_group}. Stops from the other users do not show on its leads.`,
      remedy: 'adding it to its group',
      repair: async () => (await transact([memberWrite(user), stillAsRead(userKey(id), { dnc_group }, ['dnc_group'])])).committed,
    }
  },
}

export const owners: readonly DamageKind[] = [heldUnmarked, keyUnlisted, groupLacksUser]
