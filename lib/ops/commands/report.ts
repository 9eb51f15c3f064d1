import type { Command } from 'commander'
import * as v from 'valibot'
import { dayOption } from '../arguments.ts'
import type { Runner } from '../runner.ts'

const HELP = `
The numbers are those of GET /api/statistics/: leads by status as they are now, and the leads that were created and the calls that began in
the period. Without --owner, it adds up all users and lists each of them. Days and hours are those of UTC. The numbers follow a change within
seconds. Rates are shares of all calls but failed ones, which the voice agent refused. The command reads only these numbers, never leads.

Leads of version 1.0.2 or older count once they change, or after npm run ops -- repair --all. Calls of these versions are not counted.

Examples:
  npm run ops -- report --from 2026-11-01 --to 2026-11-23
  npm run ops -- report --owner acme --json
`

const Given = v.object({
  from: v.optional(dayOption('from')),
  to: v.optional(dayOption('to')),
  owner: v.optional(v.string()),
})

export const addReport = (program: Command, run: Runner): void => {
  program
    .command('report')
    .option('--from <day>', 'the first day, such as 2026-11-01 (default: the period has 30 days)')
    .option('--to <day>', 'the last day (default: today)')
    .option('--owner <user>', 'only leads and calls of this user (key or id)')
    .description('count leads and calls of a period')
    .addHelpText('after', HELP)
    .action(
      run(Given, async ({ given: { owner, from, to }, output }) => {
        const [{ showReport }, { userNamed }] = await Promise.all([import('../report.ts'), import('../arguments.ts')])
        const days = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
        await showReport(owner === undefined ? undefined : await userNamed(owner), days, output)
        return 0
      }),
    )
}
