import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '#shared/reassigned/answer.ts'
import { answersAbout } from '#shared/reassigned/answer-store.ts'
import { phoneHash } from '#shared/stops/phone-hash.ts'
import { startOps } from './ops.ts'
import { TODAY } from './registries.ts'

interface Line {
  readonly phone: string
  readonly date: string
  readonly answer: Answer
}

/** Imports answers of the reassigned numbers database into the table of the present world. */
export const importAnswers = async (lines: readonly Line[], asOf = TODAY): Promise<void> => {
  const tool = await startOps()
  try {
    const file = join(tool.directory, 'answers.csv')
    writeFileSync(file, lines.map(({ phone, date, answer }) => `${phone.replace('+1', '')},${date},${answer}\n`).join(''))
    const { code, err } = await tool.ops(['reassigned', 'import', file, '--as-of', asOf])
    if (code !== 0) throw new Error(err)
  } finally {
    await tool.stop()
  }
}

export const storedAnswers = async (phone: string) => answersAbout(await phoneHash(phone), {})
