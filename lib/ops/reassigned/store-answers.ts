import { realNow } from '#shared/platform/clock.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { storeAnswer } from '#shared/reassigned/answer-store.ts'
import { releaseAnswered } from '#shared/reassigned/release-answered.ts'
import { MOST_ANSWERS } from '#shared/reassigned/rules/answers.ts'
import { counted } from '../output.ts'
import { newPace } from '../registry/pace.ts'
import type { HashedAnswer } from './read-answers.ts'

const LANES = 8

/** Answers that are stored between two looks at the pace. */
const AT_ONCE = 500

/** A mark keeps the sweep looking for at least a minute. Renew it this often. */
const MARK_HOLDS = 30 * SECOND

const NONE = { yes: 0, no: 0, no_data: 0, left_out: 0 }

/** The answers that were stored, by what they say, and those that were left out. */
export type AnswerCounts = typeof NONE

export const countsText = ({ yes, no, no_data, left_out }: AnswerCounts): string =>
  [
    `Stored ${counted(yes + no + no_data, 'answer')}: ${yes} yes, ${no} no, ${no_data} no data.`,
    ...(left_out > 0
      ? [
          `Left out ${counted(left_out, 'answer')}: a later or stricter answer about the same day is stored, or ${MOST_ANSWERS} answers about the number that count more.`,
        ]
      : []),
  ].join(' ')

/** Stores answers. Waiting leads are planned again, even if the command dies. */
export const newAnswerStore = () => {
  const pace = newPace()
  const counts = { ...NONE }
  let marked = Number.NEGATIVE_INFINITY
  const mark = async (): Promise<void> => {
    if (realNow() - marked < MARK_HOLDS) return
    marked = realNow()
    await releaseAnswered()
  }
  return {
    counts,
    store: async (answers: readonly HashedAnswer[], asked_on: string): Promise<void> => {
      for (let from = 0; from < answers.length; from += AT_ONCE) {
        await mark()
        await inLanes(LANES, answers.slice(from, from + AT_ONCE), async ({ hash, date, answer }) => {
          const isStored = await storeAnswer(hash, { date, answer, asked_on })
          counts[isStored ? answer : 'left_out']++
        })
        await pace()
      }
    },
    /** Call it after the last answer. */
    end: releaseAnswered,
  }
}
