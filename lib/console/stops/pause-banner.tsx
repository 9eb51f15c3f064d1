import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { User } from '../../client/operations.ts'
import { type Query, useQuery } from '../hooks/use-query.ts'
import { useReturn } from '../hooks/use-return.ts'
import { texts } from '../texts.ts'

const POLL_EVERY = 20_000

const OwnUser = createContext<Query<User> | undefined>(undefined)

/** The user who is signed in, as the service last told. @throws Error outside of the shell */
export const useOwnUser = (): Query<User> => {
  const user = useContext(OwnUser)
  if (!user) throw new Error(texts.failures.unexpected)
  return user
}

/** Gives the user to the views, and reads it again from time to time, and when the tab is shown or gets the focus. */
export const OwnUserReader = ({ signedIn, children }: { readonly signedIn: User; readonly children: ComponentChildren }) => {
  const user = useQuery('user', (client, signal) => client.request('GET /api/users/me/', { signal }), POLL_EVERY, signedIn)
  useReturn(user)
  return <OwnUser.Provider value={user}>{children}</OwnUser.Provider>
}

/** What is paused, in words. Empty: nothing is. */
export const pauseInWords = ({ paused, paused_existing_leads: existing }: Pick<User, 'paused' | 'paused_existing_leads'>): string => {
  if (paused) return texts.pause.all
  return existing ? texts.pause.existing : ''
}

/** Says in every view that calls are paused. */
export const PauseBanner = () => {
  const { data } = useOwnUser()
  const text = data ? pauseInWords(data) : ''
  return (
    <div role="status" class="banner">
      {text !== '' && (
        <p>
          {text} <a href="#/stops">{texts.pause.link}</a>
        </p>
      )}
    </div>
  )
}
