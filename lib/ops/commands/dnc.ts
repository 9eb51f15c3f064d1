import type { Command } from 'commander'
import * as v from 'valibot'
import { CHANNELS } from '#shared/stops/compliance.ts'
import { ONE_LINE } from '../output.ts'
import { Flag, type Runner } from '../runner.ts'

const LIFT_HELP = `
Removes a number from the do-not-contact list of the user's DNC group. The API can only add to that list. The command lifts the flags of
all leads with the number, for all users of the group, and plans their calls again. A stop that is raised during the lift stays.

The reason is stored with the number and the time. "lead show", "lead timeline" and "export" show it. Do not name a person in it: it stays
when a person is erased and another stop is kept.

After an interruption, run the same command again: it resumes. The list of litigators is a different list: change it with "apply".

Examples:
  npm run ops -- dnc lift +12125550001 --owner acme --reason 'Asked for a call again by email of 3 May' --dry-run
  npm run ops -- dnc lift '(212) 555-0001' --owner acme --channel call --reason 'Listed by mistake, ticket 4711' --yes
`

const LONGEST_REASON = 500

const Reason = v.pipe(
  v.string('Give a reason with --reason.'),
  v.check(
    (reason) => ONE_LINE.test(reason) && reason.trim() !== '' && reason.length <= LONGEST_REASON,
    `--reason must be one line of at most ${LONGEST_REASON} characters, and not blank.`,
  ),
)

const Given = v.object({
  phone: v.string(),
  owner: v.string('Name a user of the DNC group with --owner.'),
  channel: v.optional(v.picklist(CHANNELS, `--channel must be one of: ${CHANNELS.join(', ')}.`)),
  reason: Reason,
  dryRun: Flag,
  yes: Flag,
})

export const addDnc = (program: Command, run: Runner): void => {
  program
    .command('dnc')
    .description('change the do-not-contact lists')
    .addHelpText('after', LIFT_HELP)
    .command('lift')
    .argument('<phone>', 'phone number')
    .requiredOption('--owner <user>', 'a user of the DNC group, by key or id')
    .requiredOption('--reason <text>', 'why the person may be contacted again; it is stored')
    .option('--channel <channel>', `${CHANNELS.join(' or ')} (default: all that are listed)`)
    .option('--dry-run', 'show what would be lifted, but lift nothing')
    .option('--yes', 'do not ask; needed without a terminal')
    .description("remove a number from a DNC group's list, with a reason")
    .addHelpText('after', LIFT_HELP)
    .action(
      run(Given, async ({ given: { phone, owner, channel, ...how }, output }) => {
        const [{ phoneNumberOf }, { userNamed }, { liftNumber }] = await Promise.all([
          import('../arguments.ts'),
          import('../arguments.ts'),
          import('../leads/lift.ts'),
        ])
        const channels = channel === undefined ? CHANNELS : [channel]
        return liftNumber({ ...how, owner: await userNamed(owner), phoneNumber: phoneNumberOf(phone), channels }, output)
      }),
    )
}
