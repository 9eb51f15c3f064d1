import type { TableInput } from './table-input.ts'

/** Parts of the dial transaction whose condition can be left out. */
export const CONDITIONS = ['phone', 'lines', 'lead'] as const
export type Condition = (typeof CONDITIONS)[number]

/** Safeguards that a race can run without: conditions of writes, and the lead type's demand for a consent. */
export const PLANTS = [...CONDITIONS, 'demand'] as const
export type Plant = (typeof PLANTS)[number]

type TransactItem = NonNullable<TableInput['TransactItems']>[number]
type Conditional = {
  readonly ConditionExpression?: string | undefined
  readonly UpdateExpression?: string | undefined
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined
}

const isPart = (plant: Condition, { Put, Update }: TransactItem): boolean => {
  switch (plant) {
    case 'phone':
      return Update?.Key?.['sk'] === 'PHONE'
    case 'lines':
      return `${Update?.UpdateExpression}`.includes('calls')
    case 'lead':
      return Put?.Item?.['sk'] === 'LEAD'
  }
}

/** The table rejects values that no expression uses. */
const unconditional = <T extends Conditional>({ ConditionExpression: _, ExpressionAttributeValues: values, ...rest }: T) => {
  const named = Object.entries(values ?? {}).filter(([name]) => new RegExp(`${name}\\b`).test(rest.UpdateExpression ?? ''))
  return { ...rest, ...(named.length > 0 && { ExpressionAttributeValues: Object.fromEntries(named) }) }
}

/** Removes the condition from the transaction. @throws Error when there is none, since the check would prove nothing */
export const planted = (plant: Condition, input: TableInput): TableInput => {
  const items = input.TransactItems ?? []
  const parts = items.filter((item) => isPart(plant, item))
  if (!parts.some(({ Put, Update }) => (Put ?? Update)?.ConditionExpression)) throw new Error(`A dial has no condition of the ${plant}.`)
  const TransactItems = items.map((item): TransactItem => {
    if (!parts.includes(item)) return item
    if (item.Put) return { Put: unconditional(item.Put) as NonNullable<TransactItem['Put']> }
    return item.Update ? { Update: unconditional(item.Update) as NonNullable<TransactItem['Update']> } : item
  })
  return { ...input, TransactItems }
}
