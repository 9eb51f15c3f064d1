import { createStore } from './store.ts'

/** The place in the console, which is the fragment of the address: `#/leads?status=OPEN`. */
interface Place {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

const placeOf = (fragment: string): Place => {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?')
  return { parts: path.split('/').filter((part) => part !== ''), query: new URLSearchParams(query) }
}

export const place = createStore(placeOf(location.hash))

/** The fragment of the address that is shown. */
let shown = location.hash

const show = (fragment: string): void => {
  shown = fragment
  place.set(placeOf(fragment))
}

// The browser also tells of what `open` has shown already.
addEventListener('hashchange', () => {
  if (location.hash !== shown) show(location.hash)
})

const replaceBy = (fragment: string): void => {
  history.replaceState(null, '', `${location.pathname}${fragment}`)
  show(fragment)
}

/** Removes a fragment that is no place, such as the code of a link, and shows the first view. */
export const forgetFragment = (): void => replaceBy('')

/** Leaves a place that belongs to another user: it may name a lead of that user. */
export const startAfresh = (): void => replaceBy('#/now')

/** Opens a place of the console at once: the browser tells only later that the address has changed. `to`: `leads/52`. */
export const open = (to: string): void => {
  location.hash = `#/${to}`
  show(location.hash)
}

const isPlain = ({ defaultPrevented, button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  !(defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey)

/** A link to a place opens it at once, too: the next link that is followed may continue from there. */
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null
  if (!link || link.hasAttribute('target') || !isPlain(event)) return
  event.preventDefault()
  open(`${link.getAttribute('href')}`.slice('#/'.length))
})
