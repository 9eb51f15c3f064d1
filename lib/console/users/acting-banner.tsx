import { QuotedText } from '../parts/quoted-text.tsx'
import { open, place } from '../route.ts'
import { actFor, session } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'

const { acting } = texts

/** Says in every view that a staff member works for another user, and leads back. */
export const ActingBanner = () => {
  const { user, staff } = useStore(session)
  if (!user || !staff || user.id === staff.id) return null
  const back = (): void => {
    // The rest of the place names something of the other user.
    open(place.get().parts[0] ?? '')
    actFor(staff)
  }
  return (
    <aside aria-label={acting.label} class="banner acting">
      <p>
        {acting.worksFor} <QuotedText text={user.name} /> {acting.user(user.id)}{' '}
        <button type="button" onClick={back}>
          {acting.back}
        </button>
      </p>
    </aside>
  )
}
