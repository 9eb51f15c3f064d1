import type { Command } from 'commander'
import * as v from 'valibot'
import { Flag, type Runner } from '../runner.ts'

const EXPORT_HELP = `
One JSON document of all that is held: leads of all users with the number, their calls and text messages, what webhooks were told of
them and which answers came, updates accepted for them, stops, and the rows of uploaded files that mention the number. It reads the
whole table and the whole bucket. What was handed to webhooks' receivers and to voice agents is with those.

Examples:
  npm -s run ops -- export '(212) 555-0001' > person.json
  npm -s run ops -- export +12125550001 --owner acme
`

const ERASE_HELP = `
What goes: the leads of all users with the number, and with them their calls, text messages, promises, places in what is due, everything
that finds them, updates accepted for them, answers kept for repeated requests, deliveries with their payloads, and dead letters.
Calls to the number go from leads that have another one by now, and where others' records mention it, it is taken out.
Of uploaded files, one that holds the number, or of which a lead of theirs was made, is deleted as a whole, in all of its versions: its
rows have long been taken over, and a file that was changed would not be what was sent. The counts of its upload stay. Of a report of rejected rows only the person's rows go.

What stays: "do not call" and "do not text", if the person had asked for it or somebody for them. It is entered on the DNC group's list
under a keyed hash, so that a file with the number does not have them called again. So are, for 24 hours, the instants of the last calls,
which legal limits count; a later erasure takes them too.

It is not erased from where this tool does not reach: the table's backups (35 days) and stream (24 hours), logs, in which numbers are
masked, files that are no text (Excel workbooks), what webhooks' receivers and voice agents have been told. Those are yours to see to.

While the person is on the phone, or a file with the number is being read, it is refused. When it is cut short, the same command goes on.
It looks until it finds nothing, and reads the whole table and the whole bucket for that, twice at least. Exit code 1: something is left.

Examples:
  npm run ops -- erase '(212) 555-0001' --dry-run
  npm run ops -- erase +12125550001
  npm run ops -- erase +12125550001 --owner acme --yes --target aws
`

const OWNER = ['--owner <user>', 'of this user alone, by key or id'] as const

const Person = { phone: v.string(), owner: v.optional(v.string()) }

/** The person with the phone number that the operator typed. */
const sought = async ({ phone, owner }: { readonly phone: string; readonly owner?: string | undefined }) => {
  const [{ phoneNumberOf }, { userNamed }, { soughtPerson }] = await Promise.all([
    import('../arguments.ts'),
    import('../arguments.ts'),
    import('../person/sought.ts'),
  ])
  return soughtPerson(phoneNumberOf(phone), owner === undefined ? undefined : await userNamed(owner))
}

export const addPerson = (program: Command, run: Runner): void => {
  program
    .command('export')
    .argument('<phone>', 'phone number')
    .option(...OWNER)
    .description('print everything that is held of one person')
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
    .option('--dry-run', 'show what would go, and erase nothing')
    .option('--yes', 'do not ask; needed when nobody can be asked')
    .description('erase everything that is held of one person, but not that they are not to be called')
    .addHelpText('after', ERASE_HELP)
    .action(
      run(v.object({ ...Person, dryRun: Flag, yes: Flag }), async ({ given, output, environment }) => {
        const { erasePerson } = await import('../person/erase.ts')
        return erasePerson(await sought(given), given, { output, environment })
      }),
    )
}
