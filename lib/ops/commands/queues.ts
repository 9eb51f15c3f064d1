import { Argument, type Command, InvalidArgumentError } from 'commander'
import * as v from 'valibot'
import { BEGUN_UPLOADS, REDRIVEN_UPLOADS } from '../../dead-uploads.ts'
import { counted, table } from '../output.ts'
import { GIVEN_UP, QUEUE_VARIABLES } from '../queues.ts'
import { Flag, type Runner } from '../runner.ts'

const HELP = `
Counts are the queues' own, and approximate. In flight is what is being handled, and what was tried and is not back yet. Of dead
letters, "since" is when the oldest of ten was first sent. ${GIVEN_UP} are changes of the table that could not become events: they are
no messages, and cannot be redriven. Where there are others, it is said on standard error what to do about them.

Example:
  npm run ops -- queues
`

const REDRIVE_HELP = `
Each letter is sent before it is deleted: whatever cuts this short, none is lost, and one may be sent twice, which does no harm. Mend
first what made them fail, or they come back.

Dead letters of ingestion are files that came, and uploads to go on with.
${REDRIVEN_UPLOADS}
${BEGUN_UPLOADS}
One that failed with such a sentence stays as it is: send its file once more, of which the rows that were handled change nothing.

Examples:
  npm run ops -- redrive deliveries --dry-run
  npm run ops -- redrive deliveries --limit 100
`

const COLUMNS = ['queue', 'waiting', 'in flight', 'delayed', 'dead letters', 'since']

const remedyFor = (queue: string): string => {
  if (queue === GIVEN_UP) return `${GIVEN_UP}: see the log of publish-changes for why; what they tell of is in the table.`
  return `${queue}: mend what made them fail, then npm run ops -- redrive ${queue}.${queue === 'ingestion' ? ` ${REDRIVEN_UPLOADS}` : ''}`
}

const countIn = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a whole number, from 1 on.')
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
        output.show(states, () => table(COLUMNS, rows, 'The service tells of no queues: is it of this version?'))
        const dead = states.filter((state) => state.dead_letters > 0)
        if (dead.length > 0) output.note(['Dead letters of', ...dead.map(({ queue }) => `  ${remedyFor(queue)}`)].join('\n'))
        return 0
      }),
    )

  program
    .command('redrive')
    .addArgument(new Argument('<queue>', 'whose dead letters').choices([...Object.keys(QUEUE_VARIABLES), GIVEN_UP]))
    .option('--limit <n>', 'so many at most', countIn)
    .option('--dry-run', 'count them, and send none')
    .description('send dead letters back to their queue')
    .addHelpText('after', REDRIVE_HELP)
    .action(
      run(
        v.object({ queue: v.string(), limit: v.optional(v.number()), dryRun: Flag }),
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
