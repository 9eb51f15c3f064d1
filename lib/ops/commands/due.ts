import type { Command } from 'commander'
import * as v from 'valibot'
import { Within } from '../arguments.ts'
import type { Runner } from '../runner.ts'

const HELP = `
The numbers come from the due index, which shows writes with a short delay. Overdue and due leads are called when their time comes, and
every gate is checked again then. An overdue lead waits for a free line. While its user has paused all calls, it waits for the end of the
pause. Held leads wait for the end of a pause or for an agent that does not answer, or their lead type or the account's hours hold them. A
paused lead is held only once its call was tried: the others count as overdue. --owner lists the first 200 calls. From a list longer than 100,000 entries, only
the first 100,000 are read. The output says so.

Examples:
  npm run ops -- due
  npm run ops -- due --owner acme --within 2h
`

const Given = v.object({ owner: v.optional(v.string()), within: Within })

export const addDue = (program: Command, run: Runner): void => {
  program
    .command('due')
    .option('--owner <user>', 'list each call of this user (key or id)')
    .option('--within <span>', 'how far ahead: 90m, 1h, 2d', '1h')
    .description('show what will be called when, per user')
    .addHelpText('after', HELP)
    .action(
      run(Given, async ({ given: { owner, within }, output }) => {
        const [{ showDue }, { userNamed }] = await Promise.all([import('../leads/due.ts'), import('../arguments.ts')])
        await showDue(owner === undefined ? undefined : await userNamed(owner), within, output)
        return 0
      }),
    )
}
