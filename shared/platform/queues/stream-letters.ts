import type { DynamoDBRecord } from 'aws-lambda'
import { send } from './queues.ts'

/** The dead letter of a change: where the change is found, without its content. */
const letterOf = ({ eventID, dynamodb }: DynamoDBRecord) => ({ eventID, sequence: dynamodb?.SequenceNumber, keys: dynamodb?.Keys })

/**
 * Reads records of the table's stream, and sends those that cannot be read to the function's dead letters.
 * @param read returns undefined for a record that cannot be read
 * @param queueUrl of the dead letters
 */
export const readOrGiveUp = async <T>(
  records: readonly DynamoDBRecord[],
  read: (record: DynamoDBRecord) => T | undefined,
  queueUrl: string,
): Promise<{ readonly found: readonly T[]; readonly givenUp: number }> => {
  const found: T[] = []
  const letters: { body: ReturnType<typeof letterOf>; group: string }[] = []
  for (const record of records) {
    const one = read(record)
    if (one === undefined) letters.push({ body: letterOf(record), group: 'given-up' })
    else found.push(one)
  }
  if (letters.length > 0) await send(queueUrl, letters)
  return { found, givenUp: letters.length }
}
