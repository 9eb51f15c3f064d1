import type { Command } from 'commander'
import * as v from 'valibot'
import { table } from '../output.ts'
import { OpsMistake } from '../refusal.ts'
import { Flag, type Runner } from '../runner.ts'
import { againAfter, Seconds } from './check.ts'

const Given = v.pipe(
  v.object({ kind: v.optional(v.string()), where: v.optional(v.string()), all: Flag, dryRun: Flag, againAfter: Seconds }),
  v.check(
    ({ all, kind }) => !all || kind === undefined,
    '--all fixes everything that check finds. Use either --all or a kind of damage, not both.',
  ),
)

const EXAMPLES = `
Examples:
  npm run ops -- mend person-lacks-lead 4711
  npm run ops -- mend line-held 1/4711-2 --dry-run
  npm run ops -- mend --all

It reads again before it writes, and writes only if nothing has changed since. It never overwrites a change that somebody else makes, and
it skips what is no longer wrong. "mend --all" checks, fixes what it finds and checks again, until nothing is wrong or nothing more can be
fixed. It reports what it cannot fix, and continues with the rest. Without arguments, it lists all kinds of damage, and where each is
found.

Before it records positions as holes (position-empty), it reads the whole table again, as check does. A lead may have a position that no
list shows.
`

const kindsText = async (): Promise<string> => {
  const { KINDS } = await import('../check/kinds.ts')
  return KINDS.map(({ kind, at, about }) => `  ${kind} ${at}\n      ${about}`).join('\n')
}

export const addMend = (program: Command, run: Runner): void => {
  program
    .command('mend')
    .argument('[kind]', 'kind of damage, as check names it')
    .argument('[where]', 'where it is, as check reports it')
    .option('--all', 'fix everything that check finds')
    .option('--dry-run', 'only show what would be fixed')
    .addOption(againAfter())
    .description('fix what check has found')
    .addHelpText('after', EXAMPLES)
    .action(
      run(Given, async ({ given, output }) => {
        const { kind, where, all, dryRun } = given
        const { isStillDamaged, kindNamed, mendAll, mendAt, standingFor } = await import('../check/mend.ts')
        if (!all && kind === undefined) {
          throw new OpsMistake(
            `Name a kind of damage and where it is, or use --all. The kinds, and where they are found:\n${await kindsText()}`,
          )
        }
        if (kind !== undefined && where === undefined) {
          throw new OpsMistake(`Also name where it is, as check reports it: mend ${kind} ${kindNamed(kind).at}`)
        }
        const mendOne = async () => {
          const place = { kind: kind ?? '', where: where ?? '' }
          const one = await mendAt(place, dryRun, standingFor([place], output.note))
          return { mended: [one], isSound: !isStillDamaged(one) }
        }
        const { mended, isSound } = await (all ? mendAll(dryRun, { ...given, note: output.note }) : mendOne())
        const rows = mended.map((each) => [each.kind, each.where, each.message])
        output.show(mended, () => table(['kind', 'where', 'result'], rows, 'Nothing is wrong.'))
        if (all && !isSound) output.note('Some damage could not be fixed. See: npm run ops -- check')
        return isSound ? 0 : 1
      }),
    )
}
