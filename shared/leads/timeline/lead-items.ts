import * as v from 'valibot'
import { CallbackTimer } from '../../backlog/callback-timer.ts'
import type { Call } from '../../calling/call.ts'
import { callFromItem } from '../../calling/call-store.ts'
import type { Sms } from '../../events/sms.ts'
import { smsFromItem } from '../../events/sms-store.ts'
import { CALL_PREFIX, CALLBACK_TIMER_PREFIX, type Key, leadKey, SMS_PREFIX } from '../../platform/keys.ts'
import { queryAll } from '../../platform/table/table.ts'

const StoredItem = v.looseObject({ pk: v.string(), sk: v.string() })

/** All items that are stored under a lead. */
export interface LeadItems {
  /** Oldest first. */
  readonly calls: readonly Call[]
  readonly texts: readonly Sms[]
  readonly promises: readonly CallbackTimer[]
  /** Keys of all items, with the lead itself while it exists. */
  readonly keys: readonly Key[]
}

/** Strongly consistent. */
export const itemsOfLead = async (lead: number): Promise<LeadItems> => {
  const items = await queryAll(StoredItem, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': leadKey(lead).pk },
    ConsistentRead: true,
  })
  const under = (prefix: string) => items.filter(({ sk }) => sk.startsWith(prefix))
  return {
    calls: under(CALL_PREFIX).map(callFromItem),
    texts: under(SMS_PREFIX)
      .map(smsFromItem)
      .toSorted((a, b) => a.time - b.time),
    promises: under(CALLBACK_TIMER_PREFIX).map((item) => v.parse(CallbackTimer, item)),
    keys: items.map(({ pk, sk }) => ({ pk, sk })),
  }
}
