import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { phoneField } from '#shared/http/fields/phone.ts'
import { allInLanes } from '#shared/platform/lanes.ts'
import { delistLitigator, listedLitigators, listLitigators } from '#shared/stops/litigator-store.ts'
import type { Declaration, Texts } from '../configuration/declared.ts'
import type { Path } from '../configuration/document.ts'
import { counted } from '../output.ts'
import type { PlannedChange, Planning } from './planning.ts'

/** The most phone numbers that are listed for one change. */
const MOST_SHOWN = 20
const WIDTH = 10

const Phone = phoneField()

const numbersOf = ({ mistakes }: Planning, said: Texts, path: Path): string[] =>
  said.flatMap(([at, text]) => {
    const read = v.safeParse(Phone, text)
    if (read.success) return [read.output]
    mistakes.add([...path, at], `${text}: ${read.issues[0].message}`)
    return []
  })

const textOf = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}

/** One number per line. A # begins a comment. */
const numbersOfFile = async ({ mistakes }: Planning, name: string, folder: string): Promise<string[]> => {
  const file = isAbsolute(name) ? name : join(folder, name)
  const text = await textOf(file)
  if (text === undefined) {
    mistakes.add(['litigators', 'file'], `The file ${file} cannot be read.`)
    return []
  }
  return text.split(/\r?\n/).flatMap((whole, at) => {
    const line = whole
      .replace(/#.*/, '')
      .replace(/^\uFEFF/, '')
      .trim()
    if (line === '') return []
    const read = v.safeParse(Phone, line)
    if (read.success) return [read.output]
    const column = whole.length - whole.trimStart().length + 1
    mistakes.all.push({ file, line: at + 1, column, path: '', message: `${line}: ${read.issues[0].message}` })
    return []
  })
}

const changeOf = (change: PlannedChange['change'], numbers: readonly string[], write: PlannedChange['write']): PlannedChange => {
  const shown = numbers.length > MOST_SHOWN ? [...numbers.slice(0, MOST_SHOWN), `… and ${numbers.length - MOST_SHOWN} more`] : numbers
  const field = 'numbers'
  const fields = [change === 'removed' ? { field, old: shown, new: undefined } : { field, old: undefined, new: shown }]
  return { change, kind: 'litigators', name: counted(numbers.length, 'number'), fields, write }
}

/** Plans the list of people who sue callers. A number stays on it until the file removes it. */
export const planLitigators = async (planning: Planning, { litigators, remove }: Declaration, file: string): Promise<void> => {
  const added = new Set([
    ...numbersOf(planning, litigators.add, ['litigators', 'add']),
    ...(litigators.file ? await numbersOfFile(planning, litigators.file, dirname(file)) : []),
  ])
  const removed = new Set(numbersOf(planning, remove.litigators, ['remove', 'litigators']))
  for (const number of removed) {
    if (added.has(number)) planning.mistakes.add(['remove', 'litigators'], `The file both adds ${number} to the list and removes it.`)
  }
  const listed = await listedLitigators([...new Set([...added, ...removed])])
  const missing = [...added].filter((number) => !listed.has(number))
  const going = [...removed].filter((number) => listed.has(number))
  for (const number of removed) {
    if (!listed.has(number)) planning.notes.push(`${number} is not on the list of litigators. There is nothing to remove.`)
  }
  planning.unchanged += added.size - missing.length
  if (missing.length > 0) planning.changes.push(changeOf('new', missing, () => listLitigators(missing)))
  if (going.length > 0) planning.changes.push(changeOf('removed', going, () => allInLanes(WIDTH, going, delistLitigator)))
}
