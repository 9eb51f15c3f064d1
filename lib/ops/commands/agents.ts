import type { Command } from 'commander'
import * as v from 'valibot'
import type { Runner } from '../runner.ts'

const CHECK_HELP = `
Asks the agent's voice platform whether everything is set up: the access, the assistant, the numbers to call from, what the assistant
extracts from a conversation, and where the platform reports. The command only reads. It exits with 1 when something has to be changed, and
prints the text to paste.

Example:
  npm run ops -- agents check voice
`

export const addAgents = (program: Command, run: Runner): void => {
  const agents = program.command('agents').description('check voice agents')
  agents
    .command('check')
    .argument('<agent>', 'key of the agent')
    .description('ask a voice platform whether an agent is set up')
    .addHelpText('after', CHECK_HELP)
    .action(
      run(v.object({ agent: v.string() }), async ({ given: { agent }, output, environment }) => {
        const { checkAgent } = await import('../agents.ts')
        const advice = await checkAgent(agent, environment)
        output.show({ agent, problems: advice }, () =>
          advice.length === 0
            ? `The agent ${agent} is set up.`
            : advice.map(({ problem, paste }) => (paste === undefined ? `- ${problem}` : `- ${problem}\n\n${paste}\n`)).join('\n'),
        )
        return advice.length === 0 ? 0 : 1
      }),
    )
}
