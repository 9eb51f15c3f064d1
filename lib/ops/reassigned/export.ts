import { type FileHandle, open, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import * as v from 'valibot'
import { counted, type Output } from '../output.ts'
import { OpsRefusal } from '../refusal.ts'
import type { ExitCode } from '../runner.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { openQuestions } from './questions.ts'

interface Asked {
  readonly file: string
  readonly owner: number | undefined
  /** Most lines of a file. */
  readonly most: number
  readonly scratch: string | undefined
}

/** Only the owner may read the files: they hold phone numbers. */
const MODE = 0o600

/** The name of a file, counted from 1. */
const nameOf = (path: string, number: number): string => {
  const end = extname(path)
  return number === 1 ? path : `${path.slice(0, path.length - end.length)}-${number}${end}`
}

const Existing = v.object({ code: v.literal('EEXIST') })

const created = (path: string): Promise<FileHandle> =>
  open(path, 'wx', MODE).catch((error: unknown) => {
    const why = v.is(Existing, error)
      ? `The file ${path} exists already. Name another one.`
      : `The file ${path} cannot be written: ${error}.`
    throw new OpsRefusal(why)
  })

/** Writes the questions whose answers leads need, as files for the reassigned numbers database. */
export const exportQuestions = async ({ file, owner, most, scratch }: Asked, output: Output): Promise<ExitCode> =>
  withTemporaryFolder(scratch, 'lead-outreach-questions-', async (folder): Promise<ExitCode> => {
    const files = [file]
    let questions = 0
    let handle = await created(file)
    try {
      for await (const { phoneNumber, date } of openQuestions(owner, folder)) {
        if (questions === files.length * most) {
          await handle.close()
          const next = nameOf(file, files.length + 1)
          handle = await created(next)
          files.push(next)
        }
        await handle.write(`${phoneNumber.slice(2)},${date}\n`)
        questions++
      }
      await handle.close()
    } catch (error) {
      await handle.close()
      // A file that is left would look complete, and the same command would refuse to overwrite it.
      for (const path of files) await rm(path, { force: true })
      throw error
    }
    output.show({ questions, files }, () => `Wrote ${counted(questions, 'question')} to ${files.join(', ')}.`)
    return 0
  })
