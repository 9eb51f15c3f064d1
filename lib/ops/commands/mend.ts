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
    '--all mends all that check finds, and goes with no kind of damage: leave out one of them.',
  ),
)

const EXAMPLES = `
Examples:
  npm run ops -- mend person-lacks-lead 4711
  npm run ops -- mend line-held 1/4711-2 --dry-run
  npm run ops -- mend --all

It looks once more before it writes, and writes only while everything is as it was looked at: what changes meanwhile is never overwritten,
and what is not wrong any more is left alone. "mend --all" checks, mends what it finds and checks again, until nothing is wrong or nothing
more can be done: what cannot be mended keeps it from nothing else, and is told. Without anything it tells all kinds of damage, and where
they are found.

Before it notes places as holes (position-empty) it reads all of the table once more, as check does: a lead may stand where no list shows it.
`

const kindsText = async (): Promise<string> => {
  const { KINDS } = await import('../check/kinds.ts')
  return KINDS.map(({ kind, at, about }) => `  ${kind} ${at}\n      ${about}`).join('\n')
}

export const addMend = (program: Command, run: Runner): void => {
  program
    .command('mend')
    .argument('[kind]', 'kind of damage, as check names it')
    .argument('[where]', 'where it is, as check tells')
    .option('--all', 'all that check finds')
    .option('--dry-run', 'only show what would be mended')
    .addOption(againAfter())
    .description('mend what check has found')
    .addHelpText('after', EXAMPLES)
    .action(
      run(Given, async ({ given, output }) => {
        const { kind, where, all, dryRun } = given
        const { isStillDamaged, kindNamed, mendAll, mendAt, standingFor } = await import('../check/mend.ts')
        if (!all && kind === undefined) {
          throw new OpsMistake(`Name a kind of damage and where it is, or --all. Kinds, and where they are:\n${await kindsText()}`)
        }
        if (kind !== undefined && where === undefined) {
          throw new OpsMistake(`Say also where it is, as check tells: mend ${kind} ${kindNamed(kind).at}`)
        }
        const mendOne = async () => {
          const place = { kind: kind ?? '', where: where ?? '' }
          const one = await mendAt(place, dryRun, standingFor([place], output.note))
          return { mended: [one], isSound: !isStillDamaged(one) }
        }
        const { mended, isSound } = await (all ? mendAll(dryRun, { ...given, note: output.note }) : mendOne())
        const rows = mended.map((each) => [each.kind, each.where, each.message])
        output.show(mended, () => table(['kind', 'where', 'result'], rows, 'Nothing is wrong.'))
        if (all && !isSound) output.note('Not all that is wrong could be mended. See: npm run ops -- check')
        return isSound ? 0 : 1
      }),
    )
}
