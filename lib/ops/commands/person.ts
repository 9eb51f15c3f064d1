import type { Command } from 'commander'
import * as v from 'valibot'
import { Flag, type Runner } from '../runner.ts'

const SEARCH_HELP = `
The command finds data by keys, so it reads only what is stored about the person. A lead leads to the files of the last six uploads that
wrote it. Files that are not read to their end yet are searched too. Without --everywhere, the command does not search:
- all other uploaded files and reports: those with rows of the person that were rejected, tried or changed nothing, and those before the
  last six. The bucket deletes files and reports 90 days after they were written, and keeps them as deleted versions for 30 more
- other people's records and the configuration, which may mention the number
- stored answers that mention it only in a text, and upsert marks of values that a lead had before; they expire after a day
- data that version 1.0.2 or older stored away from its lead: deliveries (31 days after the upgrade, none is left), updates (7 days after
  they are done), and calls of leads that got another number before the upgrade, until repair --all has marked these leads
- leads that the command check reports as missing from the leads of their number
With --everywhere, it reads the whole table and all files.
`

const EXPORT_HELP = `
Prints one JSON document with everything that is stored: the leads of all users with the number, their calls and text messages, webhook
deliveries about them with the answers, updates accepted for them, stops, and the rows of uploaded files that mention the number: the
text of the first 1,000 rows of a file, and the lines of all. It does not include the data that receivers of webhooks and voice agents keep.
${SEARCH_HELP}
Examples:
  npm -s run ops -- export '(212) 555-0001' > person.json
  npm -s run ops -- export +12125550001 --owner acme
`

const ERASE_HELP = `
Erased: the leads of all users with the number. With them go their calls, text messages, promises, entries in the due index, lookup
entries, updates accepted for them, stored answers to repeated requests, deliveries with their payloads, and dead letters. If a lead has
another number by now, only its calls to this number are erased. With --everywhere, the number is also removed from other people's
records. An uploaded file is deleted, in all its versions, if it holds the number or if a lead of the person came from it. Its rows were
processed long ago, and a changed file would no longer be what was sent. The counts of its upload stay. A report of rejected rows loses
only the person's rows.

Kept: "do not call" and "do not text", if the person asked for it, or somebody on their behalf. They go on the DNC group's list under
a keyed hash, so that a later file with the number does not cause new calls. The times of the last calls stay beside the hash for 24 hours,
because legal limits count them. A later erasure also removes them.

The law may demand records of calls, consents and stops for five years (16 CFR 310.5). The command warns of the days with calls, consents or
stops of the person of which "records" has written no files, or only files that lack calls that were not over. First run "records" for
these days.

Out of reach of this tool: the table's backups (35 days) and stream (24 hours), logs (they mask numbers), files that are not text (Excel
workbooks), and the data of webhook receivers and voice agents. You must handle these yourself.

The command is refused while the person is on the phone, or while a file with the number is being read. After an interruption, run the
same command again: it resumes. It searches until it finds nothing.
${SEARCH_HELP}Exit code 1: something is left.

Examples:
  npm run ops -- erase '(212) 555-0001' --dry-run
  npm run ops -- erase +12125550001
  npm run ops -- erase +12125550001 --owner acme --yes --target aws
`

const OWNER = ['--owner <user>', 'only data of this user (key or id)'] as const

const EVERYWHERE = ['--everywhere', 'search the whole table and all files, also for mentions in records of others'] as const

const Person = { phone: v.string(), owner: v.optional(v.string()), everywhere: Flag }

interface GivenPerson {
  readonly phone: string
  readonly owner?: string | undefined
  readonly everywhere: boolean
}

/** The person with the phone number that the operator typed. */
const sought = async ({ phone, owner, everywhere }: GivenPerson) => {
  const [{ phoneNumberOf }, { userNamed }, { soughtPerson }] = await Promise.all([
    import('../arguments.ts'),
    import('../arguments.ts'),
    import('../person/sought.ts'),
  ])
  return soughtPerson(phoneNumberOf(phone), { owner: owner === undefined ? undefined : await userNamed(owner), everywhere })
}

export const addPerson = (program: Command, run: Runner): void => {
  program
    .command('export')
    .argument('<phone>', 'phone number')
    .option(...OWNER)
    .option(...EVERYWHERE)
    .description('print everything that is stored about one person')
    .addHelpText('after', EXPORT_HELP)
    .action(
      run(v.object(Person), async ({ given, output }) => {
        const { exportPerson } = await import('../person/export.ts')
        await exportPerson(await sought(given), output)
        return 0
      }),
    )

  program
    .command('erase')
    .argument('<phone>', 'phone number')
    .option(...OWNER)
    .option(...EVERYWHERE)
    .option('--dry-run', 'show what would be erased, but erase nothing')
    .option('--yes', 'do not ask; needed without a terminal')
    .description('erase everything that is stored about one person, except stops')
    .addHelpText('after', ERASE_HELP)
    .action(
      run(v.object({ ...Person, dryRun: Flag, yes: Flag }), async ({ given, output, environment, waiting }) => {
        const { erasePerson } = await import('../person/erase.ts')
        return erasePerson(await sought(given), given, { output, environment, waiting })
      }),
    )
}
