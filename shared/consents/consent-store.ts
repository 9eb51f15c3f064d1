import { CONSENT_RECORD_PREFIX, consentPk, consentRecordKey, consentStateKey } from '../platform/keys.ts'
import { getItem, queryAll } from '../platform/table/table.ts'
import { transact } from '../platform/table/transactions.ts'
import { ConsentRecord, ConsentState } from './consent.ts'
import { noConsent } from './rules/current-consent.ts'

/** Strongly consistent. A phone without records has `last_sequence` 0. */
export const getConsentState = async (owner: number, phoneNumber: string): Promise<ConsentState> =>
  (await getItem(ConsentState, consentStateKey(owner, phoneNumber))) ?? noConsent(owner, phoneNumber)

export const getConsentRecord = (owner: number, phoneNumber: string, sequence: number): Promise<ConsentRecord | undefined> =>
  getItem(ConsentRecord, consentRecordKey(owner, phoneNumber, sequence))

/** All records of a phone, the latest received first. */
export const consentRecordsOf = (owner: number, phoneNumber: string): Promise<ConsentRecord[]> =>
  queryAll(ConsentRecord, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': consentPk(owner, phoneNumber), ':prefix': CONSENT_RECORD_PREFIX },
    ScanIndexForward: false,
    ConsistentRead: true,
  })

/** Adds a record, with the state that it leads to. @returns false when another record came first */
export const addConsentRecord = async (record: ConsentRecord, next: ConsentState): Promise<boolean> => {
  const { owner, phone_number, sequence } = record
  const { committed } = await transact([
    { put: { ...consentRecordKey(owner, phone_number, sequence), ...record }, condition: 'attribute_not_exists(pk)' },
    {
      put: { ...consentStateKey(owner, phone_number), ...next },
      ...(sequence === 1
        ? { condition: 'attribute_not_exists(pk)' }
        : { condition: 'last_sequence = :before', values: { ':before': sequence - 1 } }),
    },
  ])
  return committed
}
