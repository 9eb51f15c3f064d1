import { type Command, Option } from 'commander'
import * as v from 'valibot'
import { ONE_LINE } from '../output.ts'
import { OpsMistake } from '../refusal.ts'
import { Flag, type Runner } from '../runner.ts'

const CHECK_HELP = `
Asks the agent's voice platform whether everything is set up: the access, the assistant, the numbers to call from, what the assistant
extracts from a conversation, its tools, and where the platform reports. The command only reads. It exits with 1 when something has to be
changed, and prints the text to paste.

Example:
  npm run ops -- agents check voice
`

const NO_CALLBACKS =
  'No platform can report to this service, because it has no public address. It asks the platform about its calls every minute. The secret and the address of callbacks were not checked.'

const TRY_HELP = `
Calls your own phone once through an agent, without a lead, and prints each report as it arrives, the outcome, and what the service would do
with it. It first shows what it will do, and asks. It never repeats a request. Ctrl-C ends the call, where the platform can. Do-not-contact
lists are not looked at: call only your own phone.

Calling hours are law also for a test call. Without --timezone, the phone rings only at hours that are daytime in all states. With it, the
call must be lawful in that time zone, and in the state of the number's area code. For a number abroad or without a state, only the time
zone that you name decides.

The platform is asked every few seconds. An agent of your own reports to a small server of this command, on this machine. If the agent or the
platform is elsewhere, open a tunnel to a port, and name both: --port 8090 --public-url https://calls.example.com.

With --json, it prints one document a line: trial.placed, each report, and trial.result. Exit code 1: there was no call, or no outcome.

Examples:
  npm run ops -- agents try voice '(212) 555-0123'
  npm run ops -- agents try voice +12125550123 --name Ann --script 'Ask whether the roof is theirs.'
  npm run ops -- agents try voice +442079460958 --timezone Europe/London --yes --json
`

const LONGEST_SCRIPT = 20_000

const Tried = v.object({
  agent: v.string(),
  phone: v.string(),
  name: v.optional(
    v.pipe(
      v.string(),
      v.check((name) => ONE_LINE.test(name), '--name must be one line, and not blank.'),
    ),
    'Ann',
  ),
  script: v.optional(
    v.pipe(v.string(), v.maxLength(LONGEST_SCRIPT, `--script takes at most ${LONGEST_SCRIPT} characters.`)),
    'Greet the person, say that this is a test call, and ask one question.',
  ),
  timezone: v.optional(v.string()),
  port: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,5}$/, '--port takes a number from 0 to 65535.'),
      v.transform(Number),
      v.maxValue(65_535, '--port takes a number from 0 to 65535.'),
    ),
    '0',
  ),
  publicUrl: v.optional(v.string()),
  yes: Flag,
  force: Flag,
})

/** @throws OpsMistake */
const checkTried = ({ force, publicUrl, port }: v.InferOutput<typeof Tried>): void => {
  if (force) throw new OpsMistake('There is no --force: calling hours are law, also for a test call. Nobody was called.')
  if (publicUrl !== undefined && port === 0)
    throw new OpsMistake('--public-url needs the port at the other end of the tunnel: name it with --port.')
}

const TOOLS_HELP = `
Prints the definitions of the tools with which the assistant reports and asks during a call, in the form of the agent's platform. Paste those
that it should have. The definitions may hold a token. It calls the tools of this agent only: treat it like a password.

Example:
  npm run ops -- agents tools voice
`

const nothingToCheck = (agent: string): string =>
  `There is nothing to check: the agent ${agent} speaks the protocol of this service and is on no platform. To see whether it works, call your own phone with: npm run ops -- agents try ${agent} PHONE`

export const addAgents = (program: Command, run: Runner): void => {
  const agents = program.command('agents').description('check and try voice agents')
  agents
    .command('check')
    .argument('<agent>', 'key of the agent')
    .description('ask a voice platform whether an agent is set up')
    .addHelpText('after', CHECK_HELP)
    .action(
      run(v.object({ agent: v.string() }), async ({ given: { agent }, output, environment }) => {
        const { checkAgent } = await import('../agents.ts')
        const advice = await checkAgent(agent, environment)
        if (!advice) {
          output.show({ agent, problems: [] }, () => nothingToCheck(agent))
          return 0
        }
        if (!environment['PLATFORM_BASE_URL']) output.note(NO_CALLBACKS)
        output.show({ agent, problems: advice }, () =>
          advice.length === 0
            ? `The agent ${agent} is set up.`
            : advice.map(({ problem, paste }) => (paste === undefined ? `- ${problem}` : `- ${problem}\n\n${paste}\n`)).join('\n'),
        )
        return advice.length === 0 ? 0 : 1
      }),
    )
  agents
    .command('try')
    .argument('<agent>', 'key of the agent')
    .argument('<phone>', 'your own phone number')
    .option('--name <name>', 'first name of the person who is called (default: Ann)')
    .option('--script <text>', 'what to say or ask')
    .option('--timezone <zone>', 'time zone of the phone, such as America/New_York')
    .option('--port <number>', 'port of the server for reports (default: any free one)')
    .option('--public-url <url>', 'https address of a tunnel to that port')
    .option('--yes', 'do not ask; needed without a terminal')
    .addOption(new Option('--force').hideHelp())
    .description('call your own phone once through an agent')
    .addHelpText('after', TRY_HELP)
    .action(
      run(Tried, async ({ given, output, waiting }) => {
        checkTried(given)
        const [{ phoneNumberOf, publicUrlOf, timezoneOf }, { tryAgent }] = await Promise.all([
          import('../arguments.ts'),
          import('../trial/try-agent.ts'),
        ])
        const [phone, publicUrl, timezone] = [phoneNumberOf(given.phone), publicUrlOf(given.publicUrl), timezoneOf(given.timezone)]
        return tryAgent({ ...given, phone, publicUrl, timezone }, { output, waiting })
      }),
    )
  agents
    .command('tools')
    .argument('<agent>', 'key of the agent')
    .description("print the tools of an agent's assistant, to paste")
    .addHelpText('after', TOOLS_HELP)
    .action(
      run(v.object({ agent: v.string() }), async ({ given: { agent }, output, environment }) => {
        const { toolsOfAgent } = await import('../agents.ts')
        const tools = await toolsOfAgent(agent, environment)
        output.show({ agent, tools }, () => Object.values(tools).join('\n\n'))
        return 0
      }),
    )
}
