import { connection, endWait } from '../connection.ts'
import { failedReads } from '../hooks/read-delay.ts'
import { useQuery } from '../hooks/use-query.ts'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { exactTimeIn, ownZone } from '../times.ts'

const PING_EVERY = 4000

/** A view that polls nothing would never notice that the service answers again. */
const Ping = () => {
  useQuery('health', (client, signal) => client.request('GET /api/health/', { signal }), PING_EVERY)
  return null
}

/** Says until when reads wait, and lets the user not wait: the operator may have raised the allowance. */
const Busy = ({ until }: { readonly until: number }) => (
  <p>
    {texts.connection.busy(exactTimeIn(ownZone(), until))}{' '}
    <button
      type="button"
      onClick={() => {
        endWait()
        failedReads.call()
      }}
    >
      {texts.failures.retry}
    </button>
  </p>
)

/** Says that requests fail at the moment. It disappears with the next answer. While nobody is signed in, nothing tries again by itself. */
export const Banner = () => {
  const isOut = useStore(session).state === 'out'
  const latest = useStore(connection)
  const state = isOut ? 'fine' : latest.state
  return (
    <div role="alert" class={`banner ${state}`}>
      {(state === 'lost' || state === 'failing') && <p>{texts.connection[state]}</p>}
      {state === 'lost' && <Ping />}
      {!isOut && latest.state === 'busy' && <Busy until={latest.until} />}
    </div>
  )
}
