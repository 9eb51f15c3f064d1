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
Every gate in the order in which a dial asks them, as the API's explain tells them.

Examples:
  npm run ops -- lead explain 4711
  npm run ops -- lead explain 4711 --at 2026-11-20T18:00:00-05:00
`

const TIMELINE_HELP = `
The table keeps what is, and no history of its own. The timeline is made from what is on record all the same:
  lead      its fields: creation, the last reengagement, when each field was last set (and to what, where calls do not change it
            too), and rows of files that wrote it
  stop      when "do not contact" was last raised on its phone number, and last lifted
  call      every call, with each of its milestones
  text      every text message around its calls
  promise   the callbacks of the last 30 days that were promised
  event     its events of the last 31 days, once each, with the status it had then: as far as a webhook that is there asked for them
  delivery  every attempt to send one of them
  ahead     what is to come
A change that was followed by another one and told to no webhook is on no record. The last line says how the lead is now.

To find the events it reads the delivery log of each webhook of the user, as far as it may hold them: of each of the last 31 days one
part, with what is in it of other leads, at half a read unit for each 4 KB.

Example:
  npm run ops -- lead timeline 4711
`

export const addLead = (program: Command, run: Runner): void => {
  const lead = program.command('lead').description('look into one lead').addHelpText('after', HELP)

  lead
    .command('show')
    .argument('<id>', 'id of the lead')
    .description('show it, how it stands with the service, and its calls')
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
    .option('--at <time>', 'an ISO 8601 instant (default: now)')
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
