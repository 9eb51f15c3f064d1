import type { User } from '../client/operations.ts'
import { announce, latestMessage } from './announce.ts'
import { lookedUp } from './leads/look-up.tsx'
import { Banner } from './parts/banner.tsx'
import { Heading } from './parts/heading.tsx'
import { QuotedText } from './parts/quoted-text.tsx'
import { place } from './route.ts'
import { session, signOut } from './session.ts'
import { OwnUserReader, PauseBanner } from './stops/pause-banner.tsx'
import { useStore } from './store.ts'
import { texts } from './texts.ts'
import { ActingBanner } from './users/acting-banner.tsx'
import { navigationFor, VIEWS } from './views.tsx'

const NoView = () => (
  <>
    <Heading text={texts.shell.noViewTitle} />
    <p>{texts.shell.noView}</p>
  </>
)

/** The view of the present place. */
const View = () => {
  const { parts, query } = useStore(place)
  const [first = 'leads', ...rest] = parts
  return VIEWS.get(first)?.(rest, query) ?? <NoView />
}

const Message = () => {
  const { text, number } = useStore(latestMessage)
  return (
    <div role="status" class={text === '' ? 'quiet' : 'note message'}>
      {text !== '' && <p key={number}>{text}</p>}
      {text !== '' && (
        <button type="button" class="plain" aria-label={texts.shell.dismiss} onClick={() => announce('')}>
          ×
        </button>
      )}
    </div>
  )
}

/** The link to the view, or to the list that it belongs to. */
const currentLink = (links: readonly { readonly to: string }[], here: string): string | undefined =>
  (links.find(({ to }) => here === to) ?? links.find(({ to }) => here.startsWith(`${to}/`)))?.to

/** The frame of every view: navigation, the user, and messages. */
export const Shell = ({ user }: { readonly user: User }) => {
  const { parts } = useStore(place)
  const { staff } = useStore(session)
  const links = navigationFor({ isStaff: staff !== undefined })
  const here = currentLink(links, parts.join('/') || 'leads')
  return (
    <OwnUserReader signedIn={user}>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {texts.skip}
      </button>
      <header>
        <p class="product">{texts.product}</p>
        <nav aria-label={texts.shell.views}>
          {links.map(({ to, text }) => (
            // A look-up is not in the address, so the link to the leads alone would not end it.
            <a
              key={to}
              href={`#/${to}`}
              aria-current={here === to ? 'page' : undefined}
              onClick={() => to === 'leads' && lookedUp.set(undefined)}
            >
              {text}
            </a>
          ))}
        </nav>
        <p class="user" title={(staff ?? user).name}>
          {texts.shell.user} <QuotedText text={(staff ?? user).name} />
        </p>
        <button type="button" onClick={signOut}>
          {texts.shell.signOut}
        </button>
      </header>
      <ActingBanner />
      <Banner />
      <PauseBanner />
      <Message />
      <main id="content" tabIndex={-1}>
        <View />
      </main>
    </OwnUserReader>
  )
}
