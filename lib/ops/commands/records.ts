import type { Command } from 'commander'
import * as v from 'valibot'
import { dayOption } from '../arguments.ts'
import type { Runner } from '../runner.ts'
import { scratchOption } from './check.ts'

const HELP = `
Writes the records that 16 CFR 310.5 asks to keep for five years, as far as this service has them, to compressed CSV files in the bucket:
calls.csv.gz, consents.csv.gz, stops.csv.gz, registries.csv.gz, setup.yaml.gz, and manifest.json, which is written last. Each run has its
own folder, named after the period, the time of the run and a random part, such as
records/2026-10-01_2026-10-31/20261126T041500Z-7f3a90c2/. A lifecycle rule deletes the files after five years. Days are those of UTC. A call
belongs to the day on which it was placed.

The command reads the whole table once, at one read unit for each 4 KB, and writes nothing to it. Its memory does not grow with
the table. Temporary files hold a short line for each lead and each call, and the rows. They contain personal data, and are removed at the
end.

You can repeat the command: a run never changes the files of an earlier one. Erased persons are missing in later files, so run it before
an erasure, and each month.

Examples:
  npm run ops -- records --from 2026-10-01 --to 2026-10-31
  npm run ops -- records --from 2026-10-01 --to 2026-10-31 --target aws --stage prod

Exit codes: 0 all is written, 1 items of the table could not be read, and the rest is written.
`

const Given = v.object({
  from: dayOption('from'),
  to: dayOption('to'),
  scratch: v.optional(v.string()),
})

export const addRecords = (program: Command, run: Runner): void => {
  program
    .command('records')
    .requiredOption('--from <day>', 'the first day, such as 2026-10-01')
    .requiredOption('--to <day>', 'the last day, which must be over')
    .addOption(scratchOption())
    .description('write the records of a period, which the law asks to keep, to files in the bucket')
    .addHelpText('after', HELP)
    .action(
      run(Given, async ({ given: { from, to, scratch }, output }) => {
        const { exportRecords } = await import('../records/export-records.ts')
        return exportRecords({ from, to, scratch }, output)
      }),
    )
}
