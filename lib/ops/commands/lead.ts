import type { Command } from 'commander'
import * as v from 'valibot'
import { At } from '../arguments.ts'
import type { Runner } from '../runner.ts'

const LEAD = ['<lead>', 'id, phone number, email or external id of the lead'] as const
const OWNER = ['--owner <user>', 'only leads of this user (key or id)'] as const

const Naming = { lead: v.string(), owner: v.optional(v.string()) }

const HELP = `
Examples:
  npm run ops -- lead show 4711
  npm run ops -- lead show '(212) 555-0001' --owner acme
  npm run ops -- lead explain 4711 --at 2026-11-20T18:00:00-05:00
  npm run ops -- lead timeline 4711
`

const SHOW_HELP = `
A number is read as the id of a lead first, and then as a phone number and an external id. If several leads match, the command lists them.

Examples:
  npm run ops -- lead show 4711
  npm run ops -- lead show '(212) 555-0001'
  npm run ops -- lead show ann@example.com --owner acme
  npm run ops -- lead show crm-17
`

const EXPLAIN_HELP = `
Shows every gate in the order in which a dial checks them, like explain in the API.

Examples:
  npm run ops -- lead explain 4711
  npm run ops -- lead explain ann@example.com --at 2026-11-20T18:00:00-05:00
`

const TIMELINE_HELP = `
The table stores the present state, without a history. The timeline comes from the records that exist:
  lead      its fields: creation, the last reengagement, when each field was last set (with the value, if calls never change that
            field), and rows of files that wrote it
  stop      when "do not contact" was last raised on its phone number, and last lifted
  call      every call, with each of its milestones
  text      every text message around its calls
  promise   the promised callbacks of the last 30 days
  event     its events of the last 31 days, once each, with the status at that time; only those that an existing webhook receives
  delivery  every attempt to send one of these events
  ahead     what comes next
A change that was overwritten and sent to no webhook is not recorded. The last line shows the present status of the lead.

To find the events, it reads the delivery log of each webhook of the user that may hold them. For each of the last 31 days it reads one
part, which also holds deliveries of other leads. This costs half a read unit for each 4 KB.

Examples:
  npm run ops -- lead timeline 4711
  npm run ops -- lead timeline '(212) 555-0001'
`

export const addLead = (program: Command, run: Runner): void => {
  const lead = program.command('lead').description('inspect one lead').addHelpText('after', HELP)

  lead
    .command('show')
    .argument(...LEAD)
    .option(...OWNER)
    .description('show the lead, its internal state and its calls')
    .addHelpText('after', SHOW_HELP)
    .action(
      run(v.object(Naming), async ({ given, output }) => {
        await (await import('../leads/show-lead.ts')).showLead(given, output)
        return 0
      }),
    )

  lead
    .command('explain')
    .argument(...LEAD)
    .option(...OWNER)
    .option('--at <time>', 'a time in ISO 8601 (default: now)')
    .description('say why it is, or is not, called')
    .addHelpText('after', EXPLAIN_HELP)
    .action(
      run(v.object({ ...Naming, at: v.optional(At) }), async ({ given, output }) => {
        await (await import('../leads/show-lead.ts')).explainTo(given, given.at, output)
        return 0
      }),
    )

  lead
    .command('timeline')
    .argument(...LEAD)
    .option(...OWNER)
    .description('show what happened to a lead, in order')
    .addHelpText('after', TIMELINE_HELP)
    .action(
      run(v.object(Naming), async ({ given, output }) => {
        await (await import('../leads/show-lead.ts')).showTimeline(given, output)
        return 0
      }),
    )
}
