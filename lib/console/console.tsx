import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { focusHeading } from './parts/heading.tsx'
import { identityOf, session, signInByLink, startSession } from './session.ts'
import { Shell } from './shell.tsx'
import { SignInView } from './sign-in-view.tsx'
import { useStore } from './store.ts'

/** When the key of a user ends, the views stay as they are behind the sign-in, with all that was typed. */
const Console = () => {
  const { state, user, staff } = useStore(session)
  const isIn = state === 'in'
  useEffect(() => {
    if (isIn) focusHeading()
  }, [isIn])
  return (
    <>
      {!isIn && <SignInView />}
      {user && (
        <div hidden={!isIn}>
          <Shell key={identityOf({ user, staff })} user={user} />
        </div>
      )}
    </>
  )
}

const root = document.getElementById('console')
if (root) {
  void startSession()
  // A link with another code may be opened in a tab that shows the console already.
  addEventListener('hashchange', () => void signInByLink())
  render(<Console />, root)
}
