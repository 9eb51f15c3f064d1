import type { Command } from 'commander'
import * as v from 'valibot'
import { CHANNELS } from '#shared/stops/compliance.ts'
import { ONE_LINE } from '../output.ts'
import { Flag, type Runner } from '../runner.ts'

const LIFT_HELP = `
Takes a number off the do-not-contact list of the user's DNC group, which the API only ever adds to. The flags of all leads with the number
are lifted, of all users of the group, and their calls are planned again. What is raised meanwhile stays.

The reason is kept with the number, with the time: "lead show", "lead timeline" and "export" tell it. Name no person in it: it stays when
a person is erased and another stop is kept.

When it is cut short, the same command goes on. The list of litigators is another one: change it with "apply".

Examples:
  npm run ops -- dnc lift +12125550001 --owner acme --reason 'Asked for a call again by email of 3 May' --dry-run
  npm run ops -- dnc lift '(212) 555-0001' --owner acme --channel call --reason 'Listed by mistake, ticket 4711' --yes
`

const LONGEST_REASON = 500

const Reason = v.pipe(
  v.string('Why? Say --reason.'),
  v.check(
    (reason) => ONE_LINE.test(reason) && reason.trim() !== '' && reason.length <= LONGEST_REASON,
    `--reason is text in one line of at most ${LONGEST_REASON} characters, and not a blank one.`,
  ),
)

const Given = v.object({
  phone: v.string(),
  owner: v.string('Whose list? Name a user of the group: --owner.'),
  channel: v.optional(v.picklist(CHANNELS, `--channel is one of: ${CHANNELS.join(', ')}.`)),
  reason: Reason,
  dryRun: Flag,
  yes: Flag,
})

export const addDnc = (program: Command, run: Runner): void => {
  program
    .command('dnc')
    .description('the do-not-contact lists')
    .addHelpText('after', LIFT_HELP)
    .command('lift')
    .argument('<phone>', 'phone number')
    .requiredOption('--owner <user>', 'a user of the DNC group, by key or id')
    .requiredOption('--reason <text>', 'why the person may be contacted again; it is kept')
    .option('--channel <channel>', `${CHANNELS.join(' or ')} (default: whatever is listed)`)
    .option('--dry-run', 'show what would be lifted, and lift nothing')
    .option('--yes', 'do not ask; needed when nobody can be asked')
    .description("take a number off a DNC group's list, for a reason")
    .addHelpText('after', LIFT_HELP)
    .action(
      run(Given, async ({ given: { phone, owner, channel, ...how }, output }) => {
        const [{ phoneNumberOf }, { userNamed }, { liftNumber }] = await Promise.all([
          import('../arguments.ts'),
          import('../arguments.ts'),
          import('../lift.ts'),
        ])
        const channels = channel === undefined ? CHANNELS : [channel]
        return liftNumber({ ...how, owner: await userNamed(owner), phoneNumber: phoneNumberOf(phone), channels }, output)
      }),
    )
}
