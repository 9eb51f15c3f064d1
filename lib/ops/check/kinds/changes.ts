import type { Lead } from '#shared/leads/lead.ts'
import { changeEntry, leadFromItem } from '#shared/leads/lead-store.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { changeAsRead, type Item } from '#shared/platform/table/as-read.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { type DamageKind, idIn } from '../kind.ts'
import { ReadItem } from '../scan/items.ts'

/** Whether a lead's entry in the change index is missing or wrong. Leads that were last written before version 1.1 have none. */
export const isUnfiltered = (lead: Lead, item: Item): boolean => {
  const { change_list, changed_at } = changeEntry(lead)
  return item['change_list'] !== change_list || item['changed_at'] !== changed_at
}

export const changes: DamageKind = {
  kind: 'lead-not-filtered',
  at: 'LEAD',
  about: 'A lead has no entry in the change index, or a wrong one. Lists by status, lead type or change do not show it.',
  look: async (where) => {
    const id = idIn(where)
    const item = await getItem(ReadItem, leadKey(id))
    const lead = item && leadFromItem(item)
    if (!lead || !isUnfiltered(lead, item)) return undefined
    return {
      message: `Lead ${id} has no right entry in the change index. Lists by status, lead type or change do not show it.`,
      remedy: 'adding it to the change index',
      // The cause of the last write decides about events; 'update' makes no event of this write.
      repair: () => changeAsRead(item, ['version', 'change_list', 'changed_at'], { set: { ...changeEntry(lead), cause: 'update' } }),
    }
  },
}
