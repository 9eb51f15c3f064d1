import { dirname } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import { quoted } from '../../command-line/quoted.ts'
import { MOST_MERGED } from '../check/lines/merge.ts'
import type { TablePart } from '../check/scan/scan-part.ts'
import type { ScannedSegment } from '../check/scan/segment-files.ts'
import { counted, type Output, table } from '../output.ts'
import { OpsMistake } from '../refusal.ts'
import { Flag, type Runner } from '../runner.ts'
import { Target } from '../target.ts'

const HELP = `
It reads the whole table once, at one read unit for each 4 KB. It writes nothing to it. It may run while the service runs, because it
reads each finding three times. It needs less than 256 MB of memory at any size of the table, and about 0.3 GB of disk for a million leads.
The disk holds temporary files. They contain phone numbers and emails, and are removed at the end. Of each kind, it lists the first 1,000
findings and counts the others.

To check a large table with several processes or machines, let each read a segment and write one file. Then join the files of all segments:
  mkdir segments
  npm run ops -- check --segment 1/2 --into segments
  npm run ops -- check --segment 2/2 --into segments
  npm run ops -- check --join segments

Examples:
  npm run ops -- check
  npm -s run ops -- check --json
  npm run ops -- check --target aws --stage prod --scratch /mnt/large

Exit codes: 0 nothing is wrong, 1 something is wrong. The output names the commands that repair it.
`

/** The option of every command that checks the table. */
const againAfter = (): Option =>
  new Option('--again-after <seconds>', 'pause before each finding is checked again: the service may be about to correct it')
    .default(5)
    .argParser((text) => {
      if (/^\d{1,5}$/.test(text)) return Number(text)
      throw new InvalidArgumentError('Write a whole number of seconds, from 0 to 99999.')
    })

const Seconds = v.number()

/** The option of every command that reads the whole table. */
export const scratchOption = (): Option => new Option('--scratch <dir>', "folder for temporary files (default: the system's, such as /tmp)")

const parsePart = (text: string): TablePart => {
  const [, part = 0, parts = 0] = (/^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? []).map(Number)
  if (parts > MOST_MERGED) throw new InvalidArgumentError(`Use at most ${MOST_MERGED} segments: --join opens all files at once.`)
  if (part >= 1 && part <= parts) return { part, parts }
  if (parts >= 1) throw new InvalidArgumentError(`There is no segment ${part} of ${parts}: the last one is ${parts}/${parts}.`)
  throw new InvalidArgumentError('Write the number of the segment and the number of all segments, such as 2/4.')
}

const Given = v.pipe(
  v.object({
    ...Target.entries,
    againAfter: Seconds,
    scratch: v.optional(v.string()),
    segment: v.optional(v.object({ part: v.number(), parts: v.number() })),
    into: v.optional(v.string()),
    join: v.optional(v.string()),
  }),
  v.check(
    ({ segment, into }) => (segment === undefined) === (into === undefined),
    'Use --segment and --into together: the segment of the table to read, such as 2/4, and where to write what it finds.',
  ),
  v.check(({ segment, join }) => segment === undefined || join === undefined, 'Use either --segment or --join: first scan, then join.'),
)

const scanned = async ({ part, parts, items, records, file }: ScannedSegment, output: Output): Promise<0> => {
  output.show({ segment: part, segments: parts, items, records, file }, () => {
    const read = `Segment ${part} of ${parts}: ${counted(items, 'item')} read.`
    return `${read} When all segments are in this folder: npm run ops -- check --join ${quoted(dirname(file))}`
  })
  return 0
}

export const addCheck = (program: Command, run: Runner): void => {
  program
    .command('check')
    .description('find contradictions in the table: what is wrong, whom it affects, and the command that repairs it')
    .addOption(againAfter())
    .addOption(scratchOption())
    .addOption(
      new Option('--segment <number/count>', `read only this segment of the table, such as 2/4; at most ${MOST_MERGED} segments`).argParser(
        parsePart,
      ),
    )
    .option('--into <dir>', 'folder for the file of the segment')
    .option('--join <dir>', 'check the table from the files of all segments in a folder')
    .addHelpText('after', HELP)
    .action(
      run(Given, async ({ given, output }) => {
        const { segment, into, scratch } = given
        const [{ checkTable }, { findingsText, withCommands }, { scanSegmentInto }] = await Promise.all([
          import('../check/check.ts'),
          import('../check/reported-finding.ts'),
          import('../check/scan/segment-files.ts'),
        ])
        if (segment && into !== undefined) return scanned(await scanSegmentInto(segment, { into, scratch, note: output.note }), output)
        return checkTable({ ...given, note: output.note }, async ({ items, findings, more }) => {
          const reported = withCommands(findings, given)
          const isComplete = Object.keys(more).length === 0
          output.show(
            { items, findings: reported, ...(!isComplete && { more }) },
            () => `${findingsText(reported, more, given)}${counted(items, 'item')} looked at.`,
          )
          return findings.length === 0 ? 0 : 1
        })
      }),
    )
}

const GivenRepair = v.pipe(
  v.object({
    kind: v.optional(v.string()),
    where: v.optional(v.string()),
    all: Flag,
    dryRun: Flag,
    againAfter: Seconds,
    scratch: v.optional(v.string()),
  }),
  v.check(
    ({ all, kind }) => !all || kind === undefined,
    '--all repairs everything that check finds. Use either --all or a kind of damage, not both.',
  ),
)

const REPAIR_HELP = `
Examples:
  npm run ops -- repair person-lacks-lead 4711
  npm run ops -- repair line-held 1/4711-2 --dry-run
  npm run ops -- repair --all

It reads again before it writes, and writes only if nothing has changed since. It never overwrites a change that somebody else makes, and
it skips what is no longer wrong. "repair --all" checks, repairs what it finds and checks again, until nothing is wrong or nothing more can
be repaired. It reports what it cannot repair, and continues with the rest. It lists the first 10,000 results, and counts the others. Without arguments, it lists all kinds of damage, and where each
is found.

Before it records positions as holes (position-empty), it reads the whole table again, as check does. A lead may have a position that no
list shows.
`

const kindsText = async (): Promise<string> => {
  const { KINDS } = await import('../check/kinds.ts')
  return KINDS.map(({ kind, at, about }) => `  ${kind} ${at}\n      ${about}`).join('\n')
}

export const addRepair = (program: Command, run: Runner): void => {
  program
    .command('repair')
    .argument('[kind]', 'kind of damage, as check names it')
    .argument('[where]', 'where it is, as check reports it')
    .option('--all', 'repair everything that check finds')
    .option('--dry-run', 'only show what would be repaired')
    .addOption(againAfter())
    .addOption(scratchOption())
    .description('repair what check has found')
    .addHelpText('after', REPAIR_HELP)
    .action(
      run(GivenRepair, async ({ given, output }) => {
        const { kind, where, all, dryRun } = given
        const { isStillDamaged, kindNamed, repairAll, repairAt, positionsFor } = await import('../check/repair.ts')
        if (!all && kind === undefined) {
          throw new OpsMistake(
            `Name a kind of damage and where it is, or use --all. The kinds, and where they are found:\n${await kindsText()}`,
          )
        }
        if (kind !== undefined && where === undefined) {
          throw new OpsMistake(`Also name where it is, as check reports it: repair ${kind} ${kindNamed(kind).at}`)
        }
        const repairOne = async () => {
          const suspect = { kind: kind ?? '', where: where ?? '' }
          const one = await repairAt(suspect, dryRun, positionsFor([suspect], output.note))
          return { repaired: [one], more: 0, isSound: !isStillDamaged(one) }
        }
        const { repaired, more, isSound } = await (all ? repairAll(dryRun, { ...given, note: output.note }) : repairOne())
        const rows = repaired.map((each) => [each.kind, each.where, each.message])
        output.show(repaired, () => table(['kind', 'where', 'result'], rows, 'Nothing is wrong.'))
        if (more > 0) output.note(`${counted(more, 'more result')}, not listed here.`)
        if (all && !isSound) output.note(`Some damage ${dryRun ? 'cannot' : 'could not'} be repaired. The results above say why.`)
        return isSound ? 0 : 1
      }),
    )
}
