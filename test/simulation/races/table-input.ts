import type { PutCommandInput, TransactWriteCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb'

/** A request to the table, in the storage's form. */
export type TableInput = Partial<Pick<PutCommandInput, 'Item'>> &
  Partial<Pick<UpdateCommandInput, 'Key' | 'ExpressionAttributeNames'>> &
  Partial<Pick<TransactWriteCommandInput, 'TransactItems'>>

type Written = { readonly Item?: Record<string, unknown> | undefined; readonly Key?: Record<string, unknown> | undefined }

const keyOf = ({ Item, Key }: Written): string => {
  const { pk, sk } = Item ?? Key ?? {}
  return `${pk} ${sk}`
}

const writesOf = (input: TableInput): Written[] =>
  input.TransactItems?.flatMap(({ Put, Update, Delete, ConditionCheck }) => Put ?? Update ?? Delete ?? ConditionCheck ?? []) ?? [input]

/** The items that a request writes. */
export const keysOf = (input: TableInput): string[] => writesOf(input).map(keyOf)

/** The call whose intent this request writes. */
export const dialledCall = (input: TableInput): string | undefined => {
  if (!input.TransactItems) return undefined
  const call = writesOf(input).find(({ Item }) => `${Item?.['sk']}`.startsWith('CALL#') && Item?.['call_direction'] === 'outbound')
  return call?.Item && `${call.Item['call_id']}`
}

/** The call of which a request writes that the agent accepted it. */
export const acceptedCall = ({ Key, ExpressionAttributeNames = {} }: TableInput): string | undefined => {
  const [, lead] = /^LEAD#(\d+)$/.exec(`${Key?.['pk']}`) ?? []
  const [, attempt] = /^CALL#0*(\d+)$/.exec(`${Key?.['sk']}`) ?? []
  return lead && attempt && Object.values(ExpressionAttributeNames).includes('accepted_time') ? `${lead}-${attempt}` : undefined
}
