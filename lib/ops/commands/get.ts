import { Argument, type Command } from 'commander'
import * as v from 'valibot'
import { choiceOf } from '../arguments.ts'
import { Flag, type Runner } from '../runner.ts'

const WHAT = ['users', 'lead-types', 'agents', 'sources', 'urls', 'dnc-groups', 'litigators', 'emergencies']

const HELP = `
It shows the users that have keys, and what belongs to them. To give an older user a key in the configuration file, apply a file with its id.

Examples:
  npm run ops -- get
  npm run ops -- get lead-types
  npm run ops -- get litigators '(212) 555-0019'
  npm -s run ops -- get --yaml > company.yaml
`

const Given = v.pipe(
  v.object({
    what: v.optional(choiceOf('list', WHAT)),
    numbers: v.array(v.string()),
    yaml: Flag,
    json: Flag,
  }),
  v.check(
    ({ what, numbers }) => numbers.length === 0 || what === 'litigators',
    'Only "get litigators" accepts more words: the numbers to look up.',
  ),
  v.check(
    ({ what, yaml, json }) => !yaml || !(json || what !== undefined),
    '--yaml prints everything. Do not use it with --json or with a name.',
  ),
)

export const addGet = (program: Command, run: Runner): void => {
  program
    .command('get')
    .addArgument(new Argument('[what]', 'what to show; default: everything').choices(WHAT).argParser(String))
    .argument('[numbers...]', 'for litigators: the phone numbers to look up', [])
    .option('--yaml', 'print everything as a file for apply, without secrets and without litigators')
    .description('show what is set up')
    .addHelpText('after', HELP)
    .action(
      run(Given, async ({ given: { what, numbers, yaml }, output, environment }) => {
        const { showLitigators, showSetUp } = await import('../listings/get.ts')
        if (what === 'litigators') await showLitigators(numbers, output)
        else await showSetUp(what, yaml, environment['PUBLIC_BASE_URL'] ?? '', output)
        return 0
      }),
    )
}
