import { randomBytes } from 'node:crypto'
import { put } from '#shared/platform/bucket/bucket.ts'
import { now } from '#shared/platform/clock.ts'
import { setting } from '#shared/platform/environment.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { registryImports } from '#shared/registries/registry-store.ts'
import { Scratch } from '../check/scan/scratch.ts'
import { configurationYaml } from '../listings/get.ts'
import { counted, type Output } from '../output.ts'
import { usersToAsk } from '../person/sought.ts'
import { OpsMistake } from '../refusal.ts'
import type { ExitCode } from '../runner.ts'
import { readConfigurationState } from '../state.ts'
import { withTemporaryFolder } from '../temporary-folder.ts'
import { COLUMNS } from './columns.ts'
import { type Gathered, gatherRecords, isInSpan, type RecordSpan } from './gather.ts'
import { joinPersons } from './persons.ts'
import { RECORDS, type WrittenFile, writeGzip } from './record-file.ts'
import { RowLines } from './row-lines.ts'
import { registryRow } from './rows.ts'

/** Rows of a file between two progress messages. */
const PROGRESS = 100_000

interface Asked {
  /** Days of UTC, as YYYY-MM-DD. Both are included. */
  readonly from: string
  readonly to: string
  readonly scratch: string | undefined
}

/** @throws OpsMistake when the period ends before it begins, or is not over */
const spanOf = ({ from, to }: Asked): RecordSpan => {
  if (from > to) throw new OpsMistake(`--from ${from} is after --to ${to}. Swap them.`)
  const today = dayOf(now())
  if (to >= today) throw new OpsMistake(`--to ${to} is not over. Name a day before ${today}, which is today in UTC.`)
  return { since: Date.parse(from), until: Date.parse(to) + DAY }
}

type FileName = keyof typeof COLUMNS

interface ManifestEntry extends WrittenFile {
  readonly name: string
  /** Only of files of rows. */
  readonly rows?: number
}

const writeRows = async (folder: string, file: FileName, lines: RowLines, note: Output['note']): Promise<ManifestEntry> => {
  const name = `${file}.csv.gz`
  let rows = 0
  const text = await lines.csv(Object.keys(COLUMNS[file]), () => {
    if (++rows % PROGRESS === 0) note(`${rows.toLocaleString('en-US')} rows of ${name} written`)
  })
  const written = await writeGzip(`${folder}${name}`, text)
  lines.remove()
  return { name, rows, ...written }
}

const textOf = (folder: string, files: readonly ManifestEntry[], { openCalls, unreadable }: Gathered): string =>
  [
    `Written to s3://${setting('UPLOADS_BUCKET')}/${folder}:`,
    ...files.map(({ name, rows, bytes }) => `  ${name}: ${rows === undefined ? '' : `${counted(rows, 'row')}, `}${counted(bytes, 'byte')}`),
    ...(openCalls > 0
      ? [`${counted(openCalls, 'call')} of the period ${openCalls === 1 ? 'is' : 'are'} not over. Run the command again later.`]
      : []),
    ...(unreadable.count > 0
      ? [
          `${counted(unreadable.count, 'item')} could not be read, and ${unreadable.count === 1 ? 'is' : 'are'} missing: ${unreadable.keys.join(', ')}. See: npm run ops -- check`,
        ]
      : []),
  ].join('\n')

/** The folder of a run. Each run has its own: a later run lacks persons who were erased, and must not replace the files that name them. */
const newFolder = ({ from, to }: Asked): string => {
  const run = new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '')
  // Runs may begin in the same second.
  return `${RECORDS}${from}_${to}/${run}-${randomBytes(4).toString('hex')}/`
}

/**
 * Writes the records of a period to files in the bucket. The manifest comes last: a folder without one is not complete. Safe to repeat: no
 * run changes the files of another.
 */
export const exportRecords = async (asked: Asked, output: Output): Promise<ExitCode> => {
  const span = spanOf(asked)
  const folder = newFolder(asked)
  return withTemporaryFolder(asked.scratch, 'lead-outreach-records-', async (path): Promise<ExitCode> => {
    const note = (text: string): void => output.note(text)
    const scratch = new Scratch(path)
    const newRows = (): RowLines => new RowLines(scratch.lines())
    const state = await readConfigurationState({ users: await usersToAsk(undefined) })
    const persons = scratch.lines()
    const rows = { calls: newRows(), consents: newRows(), stops: newRows(), registries: newRows() }
    const gathered = await gatherRecords({ span, state, calls: rows.calls, persons, note })
    await joinPersons(persons, state, rows)
    persons.remove()
    for (const registry of await registryImports()) if (isInSpan(span, registry.imported_time)) rows.registries.add(registryRow(registry))
    const files: ManifestEntry[] = []
    for (const file of ['calls', 'consents', 'stops', 'registries'] as const) files.push(await writeRows(folder, file, rows[file], note))
    const setup = 'setup.yaml.gz'
    files.push({ name: setup, ...(await writeGzip(`${folder}${setup}`, [configurationYaml(state)])) })
    const { openCalls, unreadable } = gathered
    const manifest = {
      ...{ from: asked.from, to: asked.to, open_calls: openCalls, unreadable_items: unreadable.count },
      files,
    }
    await put(`${folder}manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`, 'application/json')
    output.show({ bucket: setting('UPLOADS_BUCKET'), folder, ...manifest, unreadable: unreadable.keys }, () =>
      textOf(folder, files, gathered),
    )
    return unreadable.count > 0 ? 1 : 0
  })
}
