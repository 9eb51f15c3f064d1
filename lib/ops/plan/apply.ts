import { readFile } from 'node:fs/promises'
import type { Name } from '#shared/accounts/names.ts'
import { readDeclaration } from '../configuration/declared.ts'
import { readDocument } from '../configuration/document.ts'
import { type Mistake, Mistakes, mistakeLine } from '../configuration/mistakes.ts'
import { counted, type Output } from '../output.ts'
import { OpsCutShort, OpsRefusal } from '../refusal.ts'
import type { ExitCode } from '../runner.ts'
import type { OpsEnvironment } from '../surroundings.ts'
import { type ApplyProgress, applyPlan } from './carry-out.ts'
import { planFor } from './plan.ts'
import type { PlannedChange, Planning } from './planning.ts'
import { isSamePlan, planDocument, planText, secretsText, unclearText } from './render-plan.ts'

interface ApplyOptions {
  readonly file: string
  readonly dryRun: boolean
  /** Writes without asking. */
  readonly yes: boolean
}

interface ApplyContext {
  readonly output: Output
  readonly environment: OpsEnvironment['environment']
}

const bytesOf = async (file: string): Promise<Uint8Array> => {
  try {
    return await readFile(file)
  } catch (error) {
    throw new OpsRefusal(`The file ${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

const textOf = async (file: string): Promise<string> => {
  const bytes = await bytesOf(file)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new OpsRefusal(`The file ${file} is not UTF-8 text.`)
  }
}

/** `count`: number of all mistakes. The last entry of `mistakes` may only say that there are more. */
interface Faults {
  readonly mistakes: readonly Mistake[]
  readonly count: number
}

/** The plan for the file against the present table, or the mistakes in the file. */
const planOf = async (file: string, text: string, environment: ApplyContext['environment']): Promise<Planning | Faults> => {
  const written = readDocument(text)
  if ('unreadable' in written) {
    const { unreadable, count } = written
    return { mistakes: unreadable.map(({ position, message }) => ({ file, ...position, path: '', message })), count }
  }
  const mistakes = new Mistakes(file, written)
  if (written.value === null) return { mistakes: [{ file, line: 1, column: 1, path: '', message: 'The file is empty.' }], count: 1 }
  const planning = await planFor(readDeclaration(written.value, mistakes), { file, mistakes, environment })
  const sorted = mistakes.all.toSorted((a, b) => a.line - b.line || a.column - b.column)
  return sorted.length > 0 ? { mistakes: sorted, count: sorted.length } : planning
}

const refuse = ({ output }: ApplyContext, { mistakes, count }: Faults): ExitCode => {
  output.note([...mistakes.map(mistakeLine), `${counted(count, 'mistake')}: nothing was written.`].join('\n'))
  output.show({ applied: false, mistakes }, () => '')
  return 1
}

const ID_LABELS: Readonly<Record<Name['kind'], string | undefined>> = {
  USER: 'user',
  LEADTYPE: 'lead type',
  URL: 'ingestion URL',
  AGENT: undefined,
  DNCGROUP: undefined,
}

const idsText = (given: readonly Name[]): string[] => {
  const lines = given.flatMap(({ kind, keys, id }) =>
    ID_LABELS[kind] === undefined ? [] : [`  ${ID_LABELS[kind]} ${keys.join('/')}: ${id}`],
  )
  return lines.length === 0 ? [] : ['', 'Ids:', ...lines]
}

/** For litigators, the name is a count of numbers. */
const removedName = ({ kind, name }: PlannedChange): string => (kind === 'litigators' ? `${name} from the litigators` : `${kind} ${name}`)

const removedText = (changes: readonly PlannedChange[]): string[] => {
  const removed = changes.filter(({ change }) => change === 'removed')
  return removed.length === 0 ? [] : [`Removed: ${removed.map(removedName).join(', ')}.`]
}

const secretsOf = ({ secrets }: Planning, changes: readonly (PlannedChange | undefined)[]) =>
  secrets
    .filter((made) => changes.some((change) => change?.kind === made.kind && change.name === made.name))
    .map(({ of, secret }) => ({ of, secret }))

const idsOf = (given: readonly Name[]) => given.map(({ kind, keys, id }) => ({ kind, name: keys.join('/'), id }))

const shortly = ({ change, kind, name }: PlannedChange) => ({ change, kind, name })

const cutShort = ({ output }: ApplyContext, planning: Planning, { given, written, begun }: ApplyProgress, error: unknown): OpsCutShort => {
  // An OpsRefusal comes before the write, so the write is certainly not done.
  const unclear = error instanceof OpsRefusal || begun === undefined ? [] : [begun]
  const secrets = secretsOf(planning, written)
  const unclearSecrets = secretsOf(planning, unclear)
  const done = [...removedText(written), ...idsText(given), ...secretsText(secrets), ...unclearText(unclearSecrets)]
  output.note(['The run did not finish. Apply the file again: it resumes from there.', ...done].join('\n'))
  return new OpsCutShort(error, {
    ...{ applied: false, written: written.map(shortly), ids: idsOf(given), secrets },
    unclear: { changes: unclear.map(shortly), secrets: unclearSecrets },
  })
}

const write = async (context: ApplyContext, planning: Planning): Promise<ExitCode> => {
  const progress: ApplyProgress = { given: [], written: [], begun: undefined }
  await applyPlan(planning, progress).catch((error: unknown) => {
    throw cutShort(context, planning, progress, error)
  })
  const { given, written } = progress
  const secrets = secretsOf(planning, written)
  context.output.show({ applied: true, ...planDocument(planning), ids: idsOf(given), secrets }, () =>
    ['Applied.', ...removedText(written), ...idsText(given), ...secretsText(secrets)].join('\n'),
  )
  return 0
}

/** Changes the table to match the file. Settings that the file does not name stay as they are. */
export const applyFile = async ({ file, dryRun, yes }: ApplyOptions, context: ApplyContext): Promise<ExitCode> => {
  const { output, environment } = context
  const text = await textOf(file)
  const planning = await planOf(file, text, environment)
  if (!('changes' in planning)) return refuse(context, planning)
  output.say(planText(planning))
  if (dryRun || planning.changes.length === 0) {
    if (planning.changes.length > 0) output.say('Nothing was written.')
    output.show({ applied: false, ...planDocument(planning) }, () => '')
    return 0
  }
  if (yes) return write(context, planning)
  if (!(await output.confirm('Write this?'))) {
    output.note(
      output.isAttended ? 'Nothing was written.' : 'There is no terminal to ask for confirmation. Use --yes. Nothing was written.',
    )
    output.show({ applied: false, ...planDocument(planning) }, () => '')
    return 1
  }
  // The operator may have taken long to answer. Plan again, and write only if the plan is the same.
  const again = await planOf(file, text, environment)
  if ('changes' in again && isSamePlan(planning, again)) return write(context, again)
  throw new OpsRefusal(
    'The stored configuration has changed since the plan was shown. Nothing was written. Run the command again and check the changes.',
  )
}
