import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { setting } from '../environment.ts'
import type { Key } from '../keys.ts'
import { client } from './client.ts'
import { ifConditionHolds, updateItem } from './table.ts'
import type { Write } from './transactions.ts'

/** For repairs of the table while the service runs: items are read at one moment, and written only if they are unchanged. */

export type Item = Readonly<Record<string, unknown>>

const TRIES = 20
/** Milliseconds, multiplied by a random part and the number of the try. */
const PAUSE = 20

/** Items as they were at one moment, in the order of the keys. Undefined: there is no such item. */
export const readTogether = async (keys: readonly Key[]): Promise<(Item | undefined)[]> => {
  const gets = keys.map((key) => ({ Get: { TableName: setting('TABLE_NAME'), Key: { ...key } } }))
  for (let tries = 1; ; tries++) {
    try {
      const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems: gets }))
      return keys.map((_, index) => Responses[index]?.Item)
    } catch (error) {
      if (!(error instanceof TransactionCanceledException) || tries === TRIES) throw error
      await sleep(Math.random() * PAUSE * tries)
    }
  }
}

const conditionOf = (item: Item, names: readonly string[]) => {
  const there = names.filter((name) => item[name] !== undefined)
  return {
    condition: names.map((name, index) => (item[name] === undefined ? `attribute_not_exists(#s${index})` : `#s${index} = :s${index}`)),
    names: Object.fromEntries(names.map((name, index) => [`#s${index}`, name])),
    values: Object.fromEntries(there.map((name) => [`:s${names.indexOf(name)}`, item[name]])),
  }
}

const orAbsent = <T extends object>(map: T): T | undefined => (Object.keys(map).length > 0 ? map : undefined)

/**
 * Sets and removes attributes of an item, if the attributes in `seen` still have the values that were read.
 * @param item as read, with its key; of a missing item only the key
 * @returns false when they have changed
 */
export const changeAsRead = (
  item: Key & Item,
  seen: readonly string[],
  { set = {}, remove = [] }: { readonly set?: Item; readonly remove?: readonly string[] },
): Promise<boolean> => {
  const { condition, names, values } = conditionOf(item, seen)
  const sets = Object.entries(set)
  const parts = [
    ...(sets.length > 0 ? [`SET ${sets.map((_, index) => `#n${index} = :n${index}`).join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map((_, index) => `#r${index}`).join(', ')}`] : []),
  ]
  const all = orAbsent({ ...values, ...Object.fromEntries(sets.map(([, value], index) => [`:n${index}`, value])) })
  return ifConditionHolds(
    updateItem(
      { pk: item.pk, sk: item.sk },
      {
        UpdateExpression: parts.join(' '),
        ConditionExpression: condition.join(' AND '),
        ExpressionAttributeNames: {
          ...names,
          ...Object.fromEntries(sets.map(([name], index) => [`#n${index}`, name])),
          ...Object.fromEntries(remove.map((name, index) => [`#r${index}`, name])),
        },
        ...(all && { ExpressionAttributeValues: all }),
      },
    ),
  )
}

/** Part of a transaction: the attributes in `seen` still have the values that were read. Without an item: there still is none. */
export const stillAsRead = (key: Key, item: Item | undefined, seen: readonly string[]): Write => {
  if (!item) return { check: key, condition: 'attribute_not_exists(pk)' }
  const { condition, names, values: found } = conditionOf(item, seen)
  const values = orAbsent(found)
  return { check: key, condition: ['attribute_exists(pk)', ...condition].join(' AND '), names, ...(values && { values }) }
}
