import { type Command, InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import { DEFAULT_LOAD } from '../quotas/demand.ts'
import type { Runner } from '../runner.ts'
import { openAccount, Target } from '../target.ts'

const HELP = `
A quota is a limit that AWS sets for an account in a region. New accounts have low ones. AWS may take days to raise a quota, so ask before
you deploy. Nothing needs to be deployed for this command. With --target local, it only prints what the load needs.

Give the load of the busiest second, each as a number from 0 to 1,000,000:
  --calls-per-second 20     Voice agents start 72,000 calls an hour. Each counts as one that ends with a transfer, the dearest.
                            Calls per second = lines in use / seconds of a call: 10,000 lines with calls of 20 seconds start 500.
  --requests-per-second 50  Clients create 180,000 leads an hour. Count a bulk request as its number of leads.
  --events-per-second 100   Webhooks are delivered 360,000 times an hour. An event counts for each subscription that it matches.
  --uploads 1               One large file is read, in eight lanes. Of several files, at most ten lanes are read at the same time.

NEEDED comes from the numbers in docs/reference/costs.md and is on the high side. Add what else runs in the account.

The credentials need servicequotas:ListServiceQuotas and servicequotas:ListAWSDefaultServiceQuotas.

Examples:
  npm run ops -- quotas --target aws --region us-east-1
  npm run ops -- quotas --target aws --calls-per-second 50 --requests-per-second 200
  npm run ops -- quotas --uploads 4

Exit codes: 0 no quota is known to be too low, 1 a quota is too low, or one deployment cannot carry the load.
`

const MOST = 1_000_000

const numberIn =
  (pattern: RegExp, expected: string) =>
  (text: string): number => {
    const number = pattern.test(text) ? Number(text) : Number.NaN
    if (number <= MOST) return number
    throw new InvalidArgumentError(`Write ${expected}.`)
  }
const anyNumberIn = numberIn(/^\d{1,7}(\.\d{1,3})?$/, `a number from 0 to ${MOST}, such as 20 or 0.5`)
const wholeNumberIn = numberIn(/^\d{1,7}(\.0{1,3})?$/, `a whole number from 0 to ${MOST}`)

const amount = (flags: string, about: string, usual: number): Option => new Option(flags, about).default(usual).argParser(anyNumberIn)

const Given = v.object({
  ...Target.entries,
  callsPerSecond: v.number(),
  requestsPerSecond: v.number(),
  eventsPerSecond: v.number(),
  uploads: v.number(),
})

export const addQuotas = (program: Command, run: Runner): void => {
  program
    .command('quotas')
    .addOption(amount('--calls-per-second <n>', 'calls that start', DEFAULT_LOAD.callsPerSecond))
    .addOption(amount('--requests-per-second <n>', 'leads that clients create', DEFAULT_LOAD.requestsPerSecond))
    .addOption(amount('--events-per-second <n>', 'webhooks that are delivered', DEFAULT_LOAD.eventsPerSecond))
    .addOption(amount('--uploads <n>', 'files of leads at the same time', DEFAULT_LOAD.uploads).argParser(wholeNumberIn))
    .description('tell which quotas of the AWS account are too low for a load, and how to raise them')
    .addHelpText('after', HELP)
    .action(
      run(
        Given,
        async ({ given, output }) => {
          const { showQuotas } = await import('../quotas/show-quotas.ts')
          return showQuotas(given, given, output)
        },
        openAccount,
      ),
    )
}
