import type { Command } from 'commander'
import * as v from 'valibot'
import { Flag, type Runner } from '../runner.ts'

const HELP = `
What the file leaves out stays as it is: users, lead types, and also single settings of those that it names. A setting that is
null is as if it had never been set. What is to go is named under remove.

Things have keys of your choosing (key: acme), which stand for the same things in every file that is applied. A mistake is told
with its line, and then nothing is written. Where nobody can be asked – by a script, or with standard
input or error redirected – nothing is written without --yes. Secrets are made and shown once, or taken from the environment: \${NAME}.

lib/ops/examples/company.yaml is an example, and lib/ops/schema.json the schema for your editor.

Examples:
  npm run ops -- apply company.yaml --dry-run
  npm run ops -- apply company.yaml
  npm run ops -- apply company.yaml --yes --target aws --stage prod

A file that removes a source, an ingestion URL, an agent that no lead type has any more, and a number from the litigators. All else
stays, and of what is not there, or not any more, it is said so:
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
    .option('--dry-run', 'show what would be done, and do nothing')
    .option('--yes', 'do not ask before writing; needed when nobody can be asked')
    .description('set up what a file declares: users, lead types, agents, sources and so on')
    .addHelpText('after', HELP)
    .action(
      run(Given, async ({ given, output, environment }) => {
        const { applyFile } = await import('../apply.ts')
        return applyFile(given, { output, environment })
      }),
    )
}
