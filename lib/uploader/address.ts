import { withoutEnd } from '../without-end.ts'

/** The address of a service, without a trailing slash, or a sentence: why the text is none. */
export type Address = { readonly url: string; readonly correction?: string } | { readonly unclear: string }

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i
/** Names and numbers of this machine and of private networks, where a service rarely has a certificate. */
const NEARBY = /^(localhost|127\.|10\.|192\.168\.|0\.0\.0\.0|\[)/i
/** Where the routes of the API begin. */
const ROUTES = /\/api(?=\/|$)/

const refused = (text: string, right: string): Address => ({ unclear: `"${text}" is not the address of a service: ${right}` })

/** Reads the address of a service. Leaves out the path of the API, which people copy with it. */
export const serviceAddress = (text: string): Address => {
  const said = text.trim()
  const [, scheme] = SCHEME.exec(said) ?? []
  const url = URL.parse(scheme === undefined ? `http://${said}` : said)
  if (!url) return refused(said, 'write it as https://leads.example.com.')
  if (scheme === undefined) {
    const right = `${NEARBY.test(said) ? 'http' : 'https'}://${withoutEnd(said, '/')}`
    return refused(said, `it lacks http:// or https://. Write ${right}`)
  }
  if (!['http:', 'https:'].includes(url.protocol)) return refused(said, 'it must be a URL with http:// or https://.')
  const [path = ''] = url.pathname.split(ROUTES, 1)
  const right = withoutEnd(`${url.origin}${path}`, '/')
  if (path !== url.pathname)
    return { url: right, correction: `The address of a service does not include /api. Using ${right} instead of ${said}` }
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    return refused(said, `leave out everything but host and path. Write ${right}`)
  return { url: withoutEnd(said, '/') }
}
