import * as v from 'valibot'
import { TABLE } from '#lib/stacks/table-shape.ts'

/** A request to the table, as the protocol writes it. Only the parts that decide which keys it loads. */
export interface TableRequest {
  readonly Key?: Attributes
  readonly Item?: Attributes
  readonly IndexName?: string
  readonly KeyConditionExpression?: string
  readonly UpdateExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Attributes
  readonly TransactItems?: readonly Readonly<Record<string, TableRequest>>[]
  /** Reads by key, or writes. */
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Attributes[] } | readonly BatchWrite[]>>
}

/** Any object can be a request, because each part is optional. */
export const AnyRequest = v.custom<TableRequest>((value) => typeof value === 'object' && value !== null)

type Attributes = Readonly<Record<string, AttributeValue>>
type AttributeValue = Readonly<Record<string, unknown>>

interface BatchWrite {
  readonly PutRequest?: { readonly Item: Attributes }
  readonly DeleteRequest?: { readonly Key: Attributes }
}

/** A partition of the table or of an index. */
export type PartitionKey = string

/** The place of an item in each index: its partition and its sort key; undefined when the index does not have it. */
type Places = readonly (Place | undefined)[]

interface Place {
  readonly partition: PartitionKey
  readonly sort: string
}

const { indexes } = TABLE

const textOf = (value: AttributeValue | undefined): string | undefined => {
  const [text] = Object.values(value ?? {})
  return typeof text === 'string' ? text : undefined
}

const inTable = (key: Attributes): PartitionKey => textOf(key['pk']) ?? ''
const inIndex = (index: string, value: string): PartitionKey => `${index} ${value}`
const nameOf = (key: Attributes): string => `${textOf(key['pk'])} ${textOf(key['sk'])}`

const KB = 1024

/** One write of a request. */
export interface ItemWrite {
  readonly key: Attributes
  /** Whole kilobytes of the item, as far as the request shows. */
  readonly kilobytes: number
  /** The item's places afterwards, from those before. */
  readonly places: (before: Places) => Places
}

const NOWHERE: Places = indexes.map(() => undefined)

const placesIn = (attribute: (name: string, before: string | undefined) => string | undefined, before: Places): Places =>
  indexes.map(({ name, partitionKey, sortKey }, index) => {
    const prefix = `${name} `
    const partition = attribute(partitionKey.name, before[index]?.partition.slice(prefix.length))
    const sort = attribute(sortKey.name, before[index]?.sort)
    return partition === undefined || sort === undefined ? undefined : { partition: inIndex(name, partition), sort }
  })

const putOf = (item: Attributes): ItemWrite => ({
  key: item,
  kilobytes: Math.ceil(JSON.stringify(item).length / KB),
  places: (before) => placesIn((name) => textOf(item[name]), before),
})

const deleteOf = (key: Attributes): ItemWrite => ({ key, kilobytes: 1, places: () => NOWHERE })

const CLAUSES = /\b(SET|REMOVE|ADD|DELETE)\b/
/** Commas inside brackets do not end an assignment. */
const BETWEEN = /,(?![^(]*\))/

/** The attributes that an update expression sets and removes, as far as an index has them. */
const changesOf = ({
  UpdateExpression = '',
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: TableRequest) => {
  const [, ...parts] = UpdateExpression.split(CLAUSES)
  const set = new Map<string, (before: string | undefined) => string | undefined>()
  const named = (name: string): string => names[name] ?? name
  for (let at = 0; at < parts.length; at += 2) {
    const clauses = (parts[at + 1] ?? '').split(BETWEEN).map((clause) => clause.trim())
    if (parts[at] === 'REMOVE') for (const name of clauses) set.set(named(name), () => undefined)
    if (parts[at] !== 'SET') continue
    for (const clause of clauses) {
      const [name = '', value = ''] = clause.split(/\s*=\s*/, 2)
      const [text] = /:\w+/.exec(value) ?? []
      const given = textOf(values[text ?? ''])
      set.set(named(name), (before) => (value.startsWith('if_not_exists') ? (before ?? given) : given))
    }
  }
  return set
}

const updateOf = (request: TableRequest): ItemWrite => {
  const changes = changesOf(request)
  const attribute = (name: string, before: string | undefined) => {
    const change = changes.get(name)
    return change ? change(before) : before
  }
  return { key: request.Key ?? {}, kilobytes: 1, places: (before) => placesIn(attribute, before) }
}

const KEPT = (key: Attributes): ItemWrite => ({ key, kilobytes: 1, places: (before) => before })

const transactWrite = (parts: Readonly<Record<string, TableRequest>>): ItemWrite => {
  const { Put, Update, Delete, ConditionCheck } = parts
  if (Put) return putOf(Put.Item ?? {})
  if (Update) return updateOf(Update)
  return Delete ? deleteOf(Delete.Key ?? {}) : KEPT(ConditionCheck?.Key ?? {})
}

/** The writes of a request; empty for a read. */
export const writesOf = (operation: string, request: TableRequest): readonly ItemWrite[] => {
  switch (operation) {
    case 'PutItem':
      return [putOf(request.Item ?? {})]
    case 'UpdateItem':
      return [updateOf(request)]
    case 'DeleteItem':
      return [deleteOf(request.Key ?? {})]
    case 'TransactWriteItems':
      return (request.TransactItems ?? []).map(transactWrite)
    case 'BatchWriteItem':
      return Object.values(request.RequestItems ?? {})
        .flatMap((writes) => ('Keys' in writes ? [] : writes))
        .map(({ PutRequest, DeleteRequest }) => (PutRequest ? putOf(PutRequest.Item) : deleteOf(DeleteRequest?.Key ?? {})))
    default:
      return []
  }
}

const queried = ({ IndexName, KeyConditionExpression = '', ExpressionAttributeValues = {} }: TableRequest): PartitionKey => {
  const [, name = ''] = /=\s*(:\w+)/.exec(KeyConditionExpression) ?? []
  const value = textOf(ExpressionAttributeValues[name]) ?? ''
  return IndexName === undefined ? value : inIndex(IndexName, value)
}

/** The partitions that a request reads. Empty for a write, and for a scan, which reads all of them. */
export const readsOf = (operation: string, request: TableRequest): readonly PartitionKey[] => {
  switch (operation) {
    case 'GetItem':
      return [inTable(request.Key ?? {})]
    case 'Query':
      return [queried(request)]
    case 'TransactGetItems':
      return (request.TransactItems ?? []).map(({ Get }) => inTable(Get?.Key ?? {}))
    case 'BatchGetItem':
      return Object.values(request.RequestItems ?? {}).flatMap((reads) => ('Keys' in reads ? reads.Keys.map(inTable) : []))
    default:
      return []
  }
}

/** Units of one partition. */
export interface Load {
  readonly partition: PartitionKey
  readonly units: number
}

/** The load of writes on the table, of `units` in all. Larger items take more of them. */
export const tableLoad = (writes: readonly ItemWrite[], units: number): Load[] => {
  const kilobytes = writes.reduce((sum, write) => sum + write.kilobytes, 0)
  return writes.map((write) => ({ partition: inTable(write.key), units: (units * write.kilobytes) / kilobytes }))
}

const movesOf = (before: Places, after: Places): Load[] =>
  indexes.flatMap((_, index) => {
    const [from, to] = [before[index], after[index]]
    if (from?.partition === to?.partition && from?.sort === to?.sort) return []
    return [from, to].flatMap((place) => (place ? { partition: place.partition, units: 1 } : []))
  })

/**
 * Knows where each item stands in the indexes, so that a write can be charged to the partitions that it leaves and enters. Must see every
 * write to the table.
 */
export const newPlaces = () => {
  const places = new Map<string, Places>()
  const beforeOf = ({ key }: ItemWrite): Places => places.get(nameOf(key)) ?? NOWHERE

  return {
    /** The load on the indexes of writes that would be made now. */
    movedBy: (writes: readonly ItemWrite[]): Load[] =>
      writes.flatMap((write) => {
        const before = beforeOf(write)
        return movesOf(before, write.places(before))
      }),
    /** Notes writes that were made. */
    made: (writes: readonly ItemWrite[]): void => {
      for (const write of writes) {
        const after = write.places(beforeOf(write))
        if (after.some((place) => place !== undefined)) places.set(nameOf(write.key), after)
        else places.delete(nameOf(write.key))
      }
    },
  }
}
