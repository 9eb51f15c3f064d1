import { type Command, InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import { counted } from '../output.ts'
import type { Runner } from '../runner.ts'
import { Target } from '../target.ts'

const HELP = `
It reads the whole table once, at one read unit for each 4 KB. It writes nothing. It may run while the service runs, because it reads
each finding three times. It needs about 0.3 GB of memory for a million leads.

Examples:
  npm run ops -- check
  npm -s run ops -- check --json
  npm run ops -- check --target aws --stage prod

Exit codes: 0 nothing is wrong, 1 something is wrong. The output names the commands that repair it.
`

/** The option of every command that checks the table. */
export const againAfter = (): Option =>
  new Option('--again-after <seconds>', 'pause before each finding is checked again: the service may be about to correct it')
    .default(5)
    .argParser((text) => {
      if (/^\d{1,5}$/.test(text)) return Number(text)
      throw new InvalidArgumentError('Write a whole number of seconds, 0 or more.')
    })

export const Seconds = v.number()

export const addCheck = (program: Command, run: Runner): void => {
  program
    .command('check')
    .description('find contradictions in the table: what is wrong, whom it affects, and the command that repairs it')
    .addOption(againAfter())
    .addHelpText('after', HELP)
    .action(
      run(v.object({ ...Target.entries, againAfter: Seconds }), async ({ given, output }) => {
        const [{ checkTable }, { findingsText, withCommands }] = await Promise.all([
          import('../check/check.ts'),
          import('../check/reported-finding.ts'),
        ])
        const { items, findings } = await checkTable({ ...given, note: output.note })
        const reported = withCommands(findings, given)
        output.show({ items, findings: reported }, () => `${findingsText(reported, given)}${counted(items, 'item')} looked at.`)
        return findings.length === 0 ? 0 : 1
      }),
    )
}
