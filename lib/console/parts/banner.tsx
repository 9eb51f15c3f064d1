import { connection } from '../connection.ts'
import { useQuery } from '../hooks/use-query.ts'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'

const PING_EVERY = 4000

/** A view that polls nothing would never notice that the service answers again. */
const Ping = () => {
  useQuery('health', (client, signal) => client.request('GET /api/health/', { signal }), PING_EVERY)
  return null
}

/** Says that requests fail at the moment. It disappears with the next answer. While nobody is signed in, nothing tries again by itself. */
export const Banner = () => {
  const isOut = useStore(session).state === 'out'
  const latest = useStore(connection)
  const state = isOut ? 'fine' : latest
  return (
    <div role="alert" class={`banner ${state}`}>
      {state !== 'fine' && <p>{texts.connection[state]}</p>}
      {state === 'lost' && <Ping />}
    </div>
  )
}
