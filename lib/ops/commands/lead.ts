import type { Command } from 'commander'
import * as v from 'valibot'
import { At } from '../arguments.ts'
import type { Runner } from '../runner.ts'

const HELP = `
Examples:
  npm run ops -- lead show 4711
  npm run ops -- lead explain 4711 --at 2026-11-20T18:00:00-05:00
  npm run ops -- lead timeline 4711
`

const SHOW_HELP = `
Example:
  npm run ops -- lead show 4711
`

const EXPLAIN_HELP = `
Shows every gate in the order in which a dial checks them, like explain in the API.

Examples:
  npm run ops -- lead explain 4711
  npm run ops -- lead explain 4711 --at 2026-11-20T18:00:00-05:00
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

Example:
  npm run ops -- lead timeline 4711
`

export const addLead = (program: Command, run: Runner): void => {
  const lead = program.command('lead').description('inspect one lead').addHelpText('after', HELP)

  lead
    .command('show')
    .argument('<id>', 'id of the lead')
    .description('show the lead, its internal state and its calls')
    .addHelpText('after', SHOW_HELP)
    .action(
      run(v.object({ id: v.string() }), async ({ given: { id }, output }) => {
        await (await import('../leads.ts')).showLead(id, output)
        return 0
      }),
    )

  lead
    .command('explain')
    .argument('<id>', 'id of the lead')
    .option('--at <time>', 'a time in ISO 8601 (default: now)')
    .description('say why it is, or is not, called')
    .addHelpText('after', EXPLAIN_HELP)
    .action(
      run(v.object({ id: v.string(), at: v.optional(At) }), async ({ given: { id, at }, output }) => {
        await (await import('../leads.ts')).explainTo(id, at, output)
        return 0
      }),
    )

  lead
    .command('timeline')
    .argument('<id>', 'id of the lead')
    .description('show what happened to it, in order')
    .addHelpText('after', TIMELINE_HELP)
    .action(
      run(v.object({ id: v.string() }), async ({ given: { id }, output }) => {
        await (await import('../leads.ts')).showTimeline(id, output)
        return 0
      }),
    )
}
