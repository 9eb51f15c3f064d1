import { type Command, InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import { counted } from '../output.ts'
import type { Runner } from '../runner.ts'
import { Target } from '../target.ts'

const HELP = `
It reads all of the table once, at a read unit for each 4 KB, writes nothing, and may run while the service does: what it finds it has
looked at three times. It takes about 0.3 GB of memory for a million leads.

Examples:
  npm run ops -- check
  npm -s run ops -- check --json
  npm run ops -- check --target aws --stage prod

Exit codes: 0 nothing is wrong, 1 something is: the commands that mend it are told with it.
`

/** The option of every command that checks the table. */
export const againAfter = (): Option =>
  new Option('--again-after <seconds>', 'what is found is looked at again so much later: the service may have been about to do it')
    .default(5)
    .argParser((text) => {
      if (/^\d{1,5}$/.test(text)) return Number(text)
      throw new InvalidArgumentError('It is a whole number of seconds, from 0 on.')
    })

export const Seconds = v.number()

export const addCheck = (program: Command, run: Runner): void => {
  program
    .command('check')
    .description('look whether the table contradicts itself: what is wrong, for whom it matters, and the command that mends it')
    .addOption(againAfter())
    .addHelpText('after', HELP)
    .action(
      run(v.object({ ...Target.entries, againAfter: Seconds }), async ({ given, output }) => {
        const [{ checkTable }, { findingsText, withCommands }] = await Promise.all([
          import('../check/check.ts'),
          import('../check/reported-finding.ts'),
        ])
        const { items, findings } = await checkTable({ ...given, note: output.note })
        const told = withCommands(findings, given)
        output.show({ items, findings: told }, () => `${findingsText(told, given)}${counted(items, 'item')} looked at.`)
        return findings.length === 0 ? 0 : 1
      }),
    )
}
