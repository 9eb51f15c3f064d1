import { REMEDIES } from '#shared/platform/values/remedies.ts'
import type { ServiceState } from '../../client/operations.ts'
import { useQuery } from '../hooks/use-query.ts'
import { sentenceInWords } from '../parts/api-sentence.ts'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { signedInClients } from '../session.ts'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'

const POLL_EVERY = 10_000

const { health } = texts

/** Dead letters of changes of the table, which were no messages of a queue. */
const LETTERS_ONLY: readonly string[] = ['given-up', 'uncounted']

type Queue = ServiceState['queues'][number]

/** The local service has no Amazon Connect, and no https. */
const isDeployed = (): boolean => location.protocol === 'https:'

/** What a queue is for, and what its dead letters mean. A queue of a later version is shown by its name. */
const wordsOf = ({ queue }: Queue): { readonly name: string; readonly about: string } =>
  Object.entries(health.queues).find(([name]) => name === queue)?.[1] ?? { name: queue, about: '' }

const Queues = ({ queues }: { readonly queues: readonly Queue[] }) => {
  const withLetters = queues.filter(({ dead_letters: letters }) => letters > 0)
  return (
    <section aria-labelledby="queues">
      <h2 id="queues">{health.title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{health.queue}</th>
            <th scope="col">{health.waiting}</th>
            <th scope="col">{health.inFlight}</th>
            <th scope="col">{health.delayed}</th>
            <th scope="col">{health.deadLetters}</th>
          </tr>
        </thead>
        <tbody>
          {queues.map((queue) => (
            <tr key={queue.queue}>
              <th scope="row">{wordsOf(queue).name}</th>
              <td>{queue.waiting}</td>
              <td>{queue.in_flight}</td>
              <td>{queue.delayed}</td>
              <td>{queue.dead_letters === 0 ? 0 : <span class="badge bad">{queue.dead_letters}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isDeployed() && <p class="hint">{health.notHere}</p>}
      {withLetters.map((queue) => (
        <div key={queue.queue} class="note failure">
          <p>{wordsOf(queue).about}</p>
          {LETTERS_ONLY.includes(queue.queue) ? (
            <p>{health.lettersOnly}</p>
          ) : (
            <>
              <p>{health.remedy}</p>
              <p>
                <code>{health.redrive(queue.queue)}</code>
              </p>
            </>
          )}
        </div>
      ))}
    </section>
  )
}

const Agents = ({ agents }: { readonly agents: ServiceState['agents_down'] }) => (
  <section aria-labelledby="agents">
    <h2 id="agents">{health.agents}</h2>
    {agents.length === 0 && <p class="empty">{health.noAgents}</p>}
    {agents.length > 0 && (
      <ul class="plain">
        {agents.map(({ agent, reason, since, until }) => (
          <li key={agent}>
            <p>
              <QuotedText text={agent} /> <span class="badge bad">{health.down}</span>
            </p>
            <p>{health.times(timeIn(ownZone(), since), timeIn(ownZone(), until))}</p>
            <p class="second">
              <QuotedText text={sentenceInWords(reason)} />
            </p>
          </li>
        ))}
      </ul>
    )}
    {agents.length > 0 && <p>{health.agentRemedy}</p>}
  </section>
)

/** What to do about each kind of alarm, in the words of the alarm itself. */
const Remedies = () => (
  <section aria-labelledby="remedies">
    <h2 id="remedies">{health.alarms}</h2>
    <p>{health.alarmsAbout}</p>
    {Object.entries(REMEDIES).map(([alarm, remedy]) => (
      <details key={alarm}>
        <summary>
          <code>{alarm}</code>
        </summary>
        <p>{remedy}</p>
      </details>
    ))}
  </section>
)

/** The queues and agents of the whole service, and the remedies of its alarms, for staff. */
export const HealthView = () => {
  const state = useQuery('service state', (_, signal) => signedInClients().own.request('GET /api/health/details/', { signal }), POLL_EVERY)
  const { data, failure } = state
  return (
    <>
      <Heading text={texts.shell.health} />
      <QueryNote query={state} />
      {failure === undefined && data && (
        <>
          <Queues queues={data.queues} />
          <Agents agents={data.agents_down} />
          <Remedies />
        </>
      )}
    </>
  )
}
