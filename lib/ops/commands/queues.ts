import { Argument, type Command, InvalidArgumentError } from 'commander'
import * as v from 'valibot'
import { BEGUN_UPLOADS, REDRIVEN_UPLOADS } from '../../dead-uploads.ts'
import { choiceOf } from '../arguments.ts'
import { counted, table } from '../output.ts'
import { GIVEN_UP, QUEUE_VARIABLES, UNCOUNTED } from '../queues.ts'
import { Flag, type Runner } from '../runner.ts'

const HELP = `
The counts come from the queues and are approximate. In flight are messages that are being handled, and failed ones that are not back yet.
"since" is when the oldest of ten dead letters was first sent. ${GIVEN_UP} are changes of the table that could not become events.
${UNCOUNTED} are changes that statistics could not count. Both are not messages and cannot be redriven. If there are dead letters, standard error says what to do about them.

Example:
  npm run ops -- queues
`

const REDRIVE_HELP = `
Each dead letter is sent before it is deleted. An interruption loses none. It may send one twice, which does no harm. First fix what made
them fail, or they come back.

Only a deployment with Amazon Connect has the queue contact-events.

Dead letters of ingestion are files that arrived, and uploads to resume.
${REDRIVEN_UPLOADS}
${BEGUN_UPLOADS}
An upload that failed with an error message about its rows stays failed. Send its file again: rows that were already handled change nothing.

Examples:
  npm run ops -- redrive deliveries --dry-run
  npm run ops -- redrive deliveries --limit 100
`

const NAMES = [...Object.keys(QUEUE_VARIABLES), GIVEN_UP, UNCOUNTED]

const COLUMNS = ['queue', 'waiting', 'in flight', 'delayed', 'dead letters', 'since']

const remedyFor = (queue: string): string => {
  if (queue === GIVEN_UP) return `${GIVEN_UP}: the log of publish-changes says why. The changes themselves are in the table.`
  if (queue === UNCOUNTED) return `${UNCOUNTED}: the log of count-changes says why. Statistics do not count these changes.`
  return `${queue}: fix what made them fail, then npm run ops -- redrive ${queue}.${queue === 'ingestion' ? ` ${REDRIVEN_UPLOADS}` : ''}`
}

const countIn = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a whole number, 1 or more.')
}

export const addQueues = (program: Command, run: Runner): void => {
  program
    .command('queues')
    .description('show what waits in each queue, and its dead letters')
    .addHelpText('after', HELP)
    .action(
      run(v.object({}), async ({ output, environment }) => {
        const { queueStates } = await import('../queues.ts')
        const states = await queueStates(environment)
        const rows = states.map((state) => [
          ...[state.queue, state.waiting, state.in_flight, state.delayed, state.dead_letters],
          state.dead_letters_since ?? '',
        ])
        output.show(states, () =>
          table(COLUMNS, rows, 'The service reports no queues. Check that the service has the same version as this tool.'),
        )
        const dead = states.filter((state) => state.dead_letters > 0)
        if (dead.length > 0) output.note(['Dead letters:', ...dead.map(({ queue }) => `  ${remedyFor(queue)}`)].join('\n'))
        return 0
      }),
    )

  program
    .command('redrive')
    .addArgument(new Argument('<queue>', 'the queue of the dead letters').choices(NAMES).argParser(String))
    .option('--limit <n>', 'send at most this many', countIn)
    .option('--dry-run', 'count them, but send none')
    .description('send dead letters back to their queue')
    .addHelpText('after', REDRIVE_HELP)
    .action(
      run(
        v.object({ queue: choiceOf('queue', NAMES), limit: v.optional(v.number()), dryRun: Flag }),
        async ({ given: { queue, limit, dryRun }, output, environment }) => {
          const { redrive } = await import('../queues.ts')
          const onSent = (sent: number): void => output.note(`${sent} sent`)
          const done = await redrive(queue, { limit, dryRun }, { environment, onSent })
          output.show(done, () =>
            dryRun
              ? `${counted(done.found, 'dead letter')} of ${queue}: nothing was sent.`
              : `${done.sent} of ${counted(done.found, 'dead letter')} of ${queue} sent back.`,
          )
          return 0
        },
      ),
    )
}
