import type { Command } from 'commander'
import * as v from 'valibot'
import { dayOption, userNamed } from '../arguments.ts'
import { OpsMistake } from '../refusal.ts'
import { Flag, type Runner } from '../runner.ts'

const HELP = `
The reassigned numbers database says whether a number was permanently disconnected since the person agreed to be called. Lead types with the
setting reassigned_numbers call only after such an answer.

Either write the questions to files, send them to the database, and import its answers. Or ask a query service.
`

const EXPORT_HELP = `
Writes a question for each lead that needs an answer now: a phone number and the day of the consent, such as 2125550100,2026-06-10. Each
question comes once. The files hold phone numbers, so delete them afterwards.

Examples:
  npm run ops -- reassigned export questions.csv
  npm run ops -- reassigned export questions.csv --owner acme --most 50000
`

const IMPORT_HELP = `
Imports answers: text with a phone number, the day that was asked about, and yes, no or no data in each line, such as
2125550100,2026-06-10,no. gzip may have compressed it. A first line without digits is left out. If a line is wrong, nothing is imported. If
the same question has several answers, the strictest counts. After an interruption, run the same command again.

Example:
  npm run ops -- reassigned import answers.csv --as-of 2026-11-20
`

const QUERY_HELP = `
Asks a query service about the numbers of all leads that need an answer now, at most 1,000 in a request, and stores the answers. The variable
REASSIGNED_NUMBERS_KEY holds the key of the service. A service usually charges for each question: --dry-run only counts them.

Examples:
  npm run ops -- reassigned query --url https://checks.example.com/ --dry-run
  npm run ops -- reassigned query --url https://checks.example.com/
`

/** The database takes no longer files. */
const MOST_LINES = '250000'

const Owner = v.optional(v.string())
const Scratch = v.optional(v.string())

const Exported = v.object({
  file: v.string(),
  owner: Owner,
  most: v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,8}$/, ({ input }) => `--most must be a number from 1 on, not ${input}.`),
    v.transform(Number),
  ),
  scratch: Scratch,
})
const Imported = v.object({ files: v.array(v.string()), asOf: dayOption('as-of'), scratch: Scratch })
const Queried = v.object({ url: v.string(), owner: Owner, dryRun: Flag, scratch: Scratch })

const SCRATCH = ['--scratch <dir>', "folder for temporary files (default: the system's)"] as const
const OWNER = ['--owner <user>', 'only leads of this user'] as const

const ownerOf = async (owner: string | undefined): Promise<number | undefined> => (owner === undefined ? undefined : userNamed(owner))

export const addReassigned = (program: Command, run: Runner): void => {
  const reassigned = program
    .command('reassigned')
    .description('check numbers in the reassigned numbers database')
    .addHelpText('after', HELP)

  reassigned
    .command('export')
    .argument('<file>', 'the file to write')
    .option(...OWNER)
    .option('--most <lines>', 'most lines of a file; further files have a number in their names', MOST_LINES)
    .option(...SCRATCH)
    .description('write the questions whose answers leads need')
    .addHelpText('after', EXPORT_HELP)
    .action(
      run(Exported, async ({ given: { owner, scratch, ...given }, output }) => {
        const { exportQuestions } = await import('../reassigned/export.ts')
        return exportQuestions({ ...given, owner: await ownerOf(owner), scratch }, output)
      }),
    )

  reassigned
    .command('import')
    .argument('<files...>', 'the answer files')
    .requiredOption('--as-of <day>', 'the day on which the database was asked, such as 2026-11-20')
    .option(...SCRATCH)
    .description('import answer files')
    .addHelpText('after', IMPORT_HELP)
    .action(
      run(Imported, async ({ given: { scratch, ...given }, output }) => {
        const { importAnswers } = await import('../reassigned/import.ts')
        return importAnswers({ ...given, scratch }, output)
      }),
    )

  reassigned
    .command('query')
    .requiredOption('--url <url>', 'the address of the query service')
    .option(...OWNER)
    .option('--dry-run', 'only count the questions')
    .option(...SCRATCH)
    .description('ask a query service, and store its answers')
    .addHelpText('after', QUERY_HELP)
    .action(
      run(Queried, async ({ given: { url, owner, dryRun: isDryRun, scratch }, output, environment, waiting }) => {
        const key = environment['REASSIGNED_NUMBERS_KEY'] ?? ''
        if (key === '') throw new OpsMistake('The variable REASSIGNED_NUMBERS_KEY is not set. It holds the key of the query service.')
        const { openQueryService } = await import('../reassigned/query-service.ts')
        const { queryNumbers } = await import('../reassigned/query.ts')
        const service = openQueryService(url, key, waiting)
        return queryNumbers({ service, owner: await ownerOf(owner), isDryRun, scratch }, output)
      }),
    )
}
