import { connection } from '../connection.ts'
import { useQuery } from '../hooks/use-query.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'

const PING_EVERY = 4000

/** A view that polls nothing would never notice that the service answers again. */
const Ping = () => {
  useQuery('health', (client, signal) => client.request('GET /api/health/', { signal }), PING_EVERY)
  return null
}

/** Says that requests fail at the moment. It disappears with the next answer. */
export const Banner = () => {
  const state = useStore(connection)
  return (
    <div role="alert" class={`banner ${state}`}>
      {state !== 'fine' && <p>{texts.connection[state]}</p>}
      {state === 'lost' && <Ping />}
    </div>
  )
}
