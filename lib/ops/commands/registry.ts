import type { Command } from 'commander'
import * as v from 'valibot'
import { isRegistryName } from '#shared/registries/registry.ts'
import { dayOption } from '../arguments.ts'
import { Flag, type Runner } from '../runner.ts'

const IMPORT_HELP = `
Imports files of a do-not-call registry: text with one phone number in each line, such as 212,5550100, 2125550100 or 212-555-0100. gzip may
have compressed them. Name all files of one download in one command, because a full list replaces the former list. The new list comes into
force as a whole, within ten seconds after all of it is stored. Until then, and after an interruption, the former list holds. A phone is not
called if the list has no number with its area code: probably, a file is missing. With --complete, you confirm that the files hold all
numbers of the list, and that area codes without a number have none.

If a full list has fewer than 90 % of the numbers of the list in force, the command refuses it: probably, a file is missing or cut off, or
the files are a list of changes. It refuses a list in which one area code, with 1,000 numbers or more before, has lost more than a
tenth, and changes that delete more than a tenth of the numbers. With --smaller, you confirm that the list has really become that
small. --complete does not replace --smaller.

With --changes, each line also has a date, and A for an added number or D for a deleted one: 212,5550100,2026-11-20,A. The changes are made
to the list in force. If they begin more than a day after the day of this list, or end more than a day before --as-of, or if there are none
of a day between or for an area code of the list, the command refuses them: calls to numbers that the list lacks could follow. With
--complete, you then confirm that the files hold all changes between these two days, and that days and area codes without a change have
none. A deletion of a day before the day of the list removes nothing, and if the list is of --as-of already, no deletion does: the number
may have been added again. The command says how many numbers it kept.

After an interruption, run the same command again. If a line is wrong, nothing is imported. Numbers are stored as keyed hashes only.

Temporary files take 10 bytes for each number, with --changes 13 bytes. On average, the command writes at most 1,000 write units in a
second, and about 800 at once: a list of 50,000,000 numbers takes about six minutes, and the removal of the former list the same time again.

Examples:
  npm run ops -- registry import *.txt --list national --as-of 2026-11-20
  npm run ops -- registry import changes.txt --list national --as-of 2026-11-25 --changes
  npm run ops -- registry import texas.txt.gz --list state:TX --as-of 2026-11-01
`

const SHOW_HELP = '\nExample:\n  npm run ops -- registry show\n'

const Given = v.object({
  files: v.array(v.string()),
  list: v.pipe(
    v.string(),
    v.check(isRegistryName, ({ input }) => `--list must be national, or a state such as state:TX, not ${input}.`),
  ),
  asOf: dayOption('as-of'),
  changes: Flag,
  complete: Flag,
  smaller: Flag,
  scratch: v.optional(v.string()),
})

export const addRegistry = (program: Command, run: Runner): void => {
  const registry = program.command('registry').description('import and show do-not-call registries').addHelpText('after', IMPORT_HELP)

  registry
    .command('import')
    .argument('<files...>', 'the downloaded files')
    .requiredOption('--list <list>', 'national, or the list of a state, such as state:TX')
    .requiredOption('--as-of <day>', 'the day of the download, such as 2026-11-20')
    .option('--changes', 'the files are lists of changes')
    .option('--complete', 'the files hold all numbers of the list; with --changes: all changes since the day of the list in force')
    .option('--smaller', 'the list has really lost more than a tenth of its numbers')
    .option('--scratch <dir>', "folder for temporary files (default: the system's)")
    .description('import files of a do-not-call registry')
    .addHelpText('after', IMPORT_HELP)
    .action(
      run(Given, async ({ given: { scratch, ...given }, output }) => {
        const { importRegistry } = await import('../registry/import.ts')
        return importRegistry({ ...given, scratch }, output)
      }),
    )

  registry
    .command('show')
    .description('show the lists, their days, numbers and ages')
    .addHelpText('after', SHOW_HELP)
    .action(
      run(v.object({}), async ({ output }) => {
        const { showRegistries } = await import('../registry/show.ts')
        await showRegistries(output)
        return 0
      }),
    )
}
