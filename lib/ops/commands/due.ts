import type { Command } from 'commander'
import * as v from 'valibot'
import { Within } from '../arguments.ts'
import type { Runner } from '../runner.ts'

const HELP = `
From the index of what is due, which shows a moment later what was written. Overdue and due are called when their instant comes, and every
gate is asked again then. Waiting are those for whom no line is free, parked those whose user is paused, held those whose agent does not
answer, or whose lead type or account hours hold them back. With --owner the calls are listed, the first 200. Of a list that is longer than 100,000 the first are read, and it is said so.

Examples:
  npm run ops -- due
  npm run ops -- due --owner acme --within 2h
`

const Given = v.object({ owner: v.optional(v.string()), within: Within })

export const addDue = (program: Command, run: Runner): void => {
  program
    .command('due')
    .option('--owner <user>', 'of this user, by key or id, call by call')
    .option('--within <span>', 'how far ahead: 90m, 1h, 2d', '1h')
    .description('show what will be called when, per user')
    .addHelpText('after', HELP)
    .action(
      run(Given, async ({ given: { owner, within }, output }) => {
        const [{ showDue }, { userNamed }] = await Promise.all([import('../due.ts'), import('../arguments.ts')])
        await showDue(owner === undefined ? undefined : await userNamed(owner), within, output)
        return 0
      }),
    )
}
