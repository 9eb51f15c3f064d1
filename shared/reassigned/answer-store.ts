import { reassignedKey } from '../platform/keys.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, ifConditionHolds, putItem, type Reading } from '../platform/table/table.ts'
import { PhoneAnswers, type ReassignedAnswer } from './answer.ts'
import { withAnswer } from './rules/answers.ts'

/** Other imports of the same phone cause races. */
const MAX_TRIES = 20

/** The answers about a phone. May be a second old, and then costs half a read unit. @param hash see `phoneHash` */
export const answersAbout = async (hash: string, reading: Reading = { mayBeOld: true }): Promise<readonly ReassignedAnswer[]> =>
  (await getItem(PhoneAnswers, reassignedKey(hash), reading))?.answers ?? []

const NO_ANSWERS: PhoneAnswers = { answers: [], version: 0 }

/** Stores an answer about a phone. @returns false when it is left out, because stored answers count more */
export const storeAnswer = (hash: string, answer: ReassignedAnswer): Promise<boolean> =>
  retryRaces({ tries: MAX_TRIES, lost: 'The answers about a phone were being written by others' }, async () => {
    const { answers: before, version } = (await getItem(PhoneAnswers, reassignedKey(hash))) ?? NO_ANSWERS
    const answers = withAnswer(before, answer)
    if (!answers) return false
    const condition =
      version === 0
        ? { ConditionExpression: 'attribute_not_exists(version)' }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }
    return (await ifConditionHolds(putItem({ ...reassignedKey(hash), answers, version: version + 1 }, condition))) ? true : undefined
  })
