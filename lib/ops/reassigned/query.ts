import { now } from '#shared/platform/clock.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { phoneHasher } from '#shared/stops/phone-hash.ts'
import { counted, type Output } from '../output.ts'
import { OpsCutShort } from '../refusal.ts'
import type { ExitCode } from '../runner.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { MOST_QUESTIONS, type QueryService } from './query-service.ts'
import { openQuestions, type Question } from './questions.ts'
import { countsText, newAnswerStore } from './store-answers.ts'

interface Asked {
  readonly service: QueryService
  readonly owner: number | undefined
  readonly isDryRun: boolean
  /** Most questions of a request. */
  readonly most?: number
  readonly scratch: string | undefined
}

async function* inGroups(questions: AsyncIterable<Question>, most: number): AsyncGenerator<Question[]> {
  let group: Question[] = []
  for await (const question of questions) {
    group.push(question)
    if (group.length < most) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** Asks the query service about the numbers of leads that need an answer, and stores the answers. */
export const queryNumbers = ({ service, owner, isDryRun, most = MOST_QUESTIONS, scratch }: Asked, output: Output): Promise<ExitCode> =>
  withTemporaryFolder(scratch, 'lead-outreach-questions-', async (folder): Promise<ExitCode> => {
    const groups = inGroups(openQuestions(owner, folder), most)
    if (isDryRun) {
      let questions = 0
      for await (const group of groups) questions += group.length
      output.show({ questions }, () => `${counted(questions, 'question')} would be asked.`)
      return 0
    }
    const hashOf = await phoneHasher()
    const { counts, store, end } = newAnswerStore()
    let requests = 0
    try {
      for await (const group of groups) {
        const asked = dayOf(now())
        const answers = await service.ask(group)
        requests++
        const hashed = group.map(({ phoneNumber, date }, at) => ({
          ...{ hash: hashOf(phoneNumber).toString('base64url'), date },
          answer: answers[at] ?? 'no_data',
        }))
        await store(hashed, asked)
      }
    } catch (error) {
      output.note(`${countsText(counts)} Run the same command again for the rest.`)
      throw new OpsCutShort(error, { ...counts })
    } finally {
      await end()
    }
    output.show(counts, () => (requests === 0 ? 'No lead needs an answer. The query service was not asked.' : countsText(counts)))
    return 0
  })
