import type { Command } from 'commander'
import * as v from 'valibot'
import { counted, table } from '../output.ts'
import { OpsMistake } from '../refusal.ts'
import { Flag, type Runner } from '../runner.ts'
import { againAfter, Seconds, scratchOption } from './check.ts'

const Given = v.pipe(
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

const EXAMPLES = `
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
    .addHelpText('after', EXAMPLES)
    .action(
      run(Given, async ({ given, output }) => {
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
        if (all && !isSound) output.note('Some damage could not be repaired. See: npm run ops -- check')
        return isSound ? 0 : 1
      }),
    )
}
