import { deliveryCountKey } from '#shared/platform/keys.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { countOfDay } from '#shared/webhooks/delivery-log.ts'
import { OpsMistake } from '../../refusal.ts'
import { DeliveryCount } from '../delivery-days.ts'
import { type DamageKind, idIn, splitAt } from '../kind.ts'

export const deliveryCounts: DamageKind = {
  kind: 'delivery-count',
  at: 'SUBSCRIPTION/DAY',
  about: 'The stored count of deliveries for a day of a delivery log is wrong. Pages of the log overlap or leave out deliveries.',
  look: async (where) => {
    const [id, text] = splitAt(where, '4711/2026-11-20')
    const [subscription, day] = [idIn(id), Date.parse(text)]
    if (Number.isNaN(day)) throw new OpsMistake(`${text} is not a day. Write a day such as 2026-11-20.`)
    const key = deliveryCountKey(subscription, day)
    const stored = await getItem(DeliveryCount, key)
    const actual = await countOfDay(subscription, day)
    if (!stored || stored.count === actual) return undefined
    return {
      message: `On ${text}, subscription ${subscription} has ${actual} deliveries, but the stored count is ${stored.count}. Pages of its log overlap or leave out deliveries.`,
      remedy: 'deleting the stored count, so that the day is counted again',
      repair: async () => {
        const seen = { names: { '#count': 'count' }, values: { ':seen': stored.count } }
        return (await transact([{ delete: key, condition: '#count = :seen', ...seen }])).committed
      },
    }
  },
}
