import { now } from '#shared/platform/clock.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { LONGEST_AGE } from '#shared/reassigned/reassigned-use.ts'
import { answersSince } from '#shared/reassigned/rules/days.ts'
import type { Output } from '../output.ts'
import { OpsCutShort, OpsMistake, OpsRefusal } from '../refusal.ts'
import { ALL_PARTS } from '../registry/read-files.ts'
import type { ExitCode } from '../runner.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { answersOfPart, readAnswers } from './read-answers.ts'
import { countsText, newAnswerStore } from './store-answers.ts'

interface Asked {
  readonly files: readonly string[]
  /** The day on which the database was asked, as YYYY-MM-DD. */
  readonly asOf: string
  readonly scratch: string | undefined
}

const tooOldText = (asOf: string, since: string): string =>
  `Warning: the answers of ${asOf} are too old. Only answers of ${since} or later permit calls. A yes still refuses calls.`

/** Imports answer files of the reassigned numbers database. */
export const importAnswers = async ({ files, asOf, scratch }: Asked, output: Output): Promise<ExitCode> => {
  const today = dayOf(now())
  if (asOf > today) throw new OpsMistake(`--as-of ${asOf} is in the future. It is ${today} in UTC.`)
  return withTemporaryFolder(scratch, 'lead-outreach-answers-', async (folder): Promise<ExitCode> => {
    const { count, records } = await readAnswers({ files, folder, asOf })
    const since = answersSince(now(), LONGEST_AGE)
    if (asOf < since) output.note(tooOldText(asOf, since))
    if (count === 0) throw new OpsRefusal('The files hold no answer. Nothing was imported.')
    const { counts, store, end } = newAnswerStore()
    try {
      for (const part of ALL_PARTS) await store(answersOfPart(records, part), asOf)
      await end()
    } catch (error) {
      throw new OpsCutShort(error, { ...counts })
    }
    output.show(counts, () => countsText(counts))
    return 0
  })
}
