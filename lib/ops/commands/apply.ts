import type { Command } from 'commander'
import * as v from 'valibot'
import { Flag, type Runner } from '../runner.ts'

const HELP = `
Users, lead types and single settings that the file leaves out stay as they are. null resets a setting. To remove something, name it
under remove.

You choose the keys (key: acme). A key means the same thing in every file that you apply. Each mistake is reported with its line, and then
nothing is written. Without a terminal to ask on (in a script, or with standard input or error redirected), nothing is written without
--yes. Secrets come from the environment, as \${NAME}. Otherwise the tool creates them and shows them once.

lib/ops/examples/company.yaml is an example. lib/ops/schema.json is the schema for your editor.

Examples:
  npm run ops -- apply company.yaml --dry-run
  npm run ops -- apply company.yaml
  npm run ops -- apply company.yaml --yes --target aws --stage prod

This file removes a source, an ingestion URL, an agent that no lead type uses any more, and a number from the litigators. Everything else
stays. The tool tells you if one of them does not exist:
  remove:
    sources: [acme/daily]
    ingestion_urls: [acme/partner]
    agents: [voice]
    litigators: ["+12125550019"]
`

const Given = v.object({ file: v.string(), dryRun: Flag, yes: Flag })

export const addApply = (program: Command, run: Runner): void => {
  program
    .command('apply')
    .argument('<file>', 'YAML file')
    .option('--dry-run', 'show what would be done, but do nothing')
    .option('--yes', 'do not ask before writing; needed without a terminal')
    .description('set up what a file declares: users, lead types, agents, sources and so on')
    .addHelpText('after', HELP)
    .action(
      run(Given, async ({ given, output, environment }) => {
        const { applyFile } = await import('../plan/apply.ts')
        return applyFile(given, { output, environment })
      }),
    )
}
