import { MOST_WARNINGS, type Warning } from '../platform/values/warning.ts'
import { nearest } from './fields/nearest.ts'
import { pageSizeFor, wholeNumberIn } from './page-size.ts'
import type { Reply } from './reply.ts'

/** Characters of a name that are repeated, with escapes. Clients choose the names, and all headers of an answer share 10 KB. */
const MOST_CHARACTERS = 100

/** A header holds printable ASCII. Other characters are escaped as in a URL. */
const quoted = (text: string): string => {
  const short = text.slice(0, MOST_CHARACTERS).toWellFormed()
  const escaped = short.replace(/[^\x20-\x7e]/gu, encodeURIComponent).slice(0, MOST_CHARACTERS)
  return `"${escaped.replace(/["\\]/g, '\\$&')}"`
}

const item = ({ code, field, hint }: Warning): string =>
  `${code};field=${quoted(field)}${hint === undefined ? '' : `;hint=${quoted(hint)}`}`

/** Names the warnings in a header, as a list of codes with parameters (RFC 8941), before those that it has. */
export const withWarnings = (reply: Reply, warnings: readonly Warning[]): Reply => {
  if (warnings.length === 0) return reply
  const more = warnings.length > MOST_WARNINGS ? ['more'] : []
  const before = reply.headers?.['X-Warnings']
  const all = [...warnings.slice(0, MOST_WARNINGS).map(item), ...(before === undefined ? more : [before])]
  return { ...reply, headers: { ...reply.headers, 'X-Warnings': all.join(', ') } }
}

/** Unknown query parameters that are named. */
const MOST_PARAMETERS = 5

/** Names of list parameters in other services. */
const OTHER_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['limit', 'page_size'],
  ['per_page', 'page_size'],
  ['offset', 'page'],
])

/** The parameter that a client probably meant. */
const meantParameter = (name: string, known: readonly string[]): string | undefined => {
  const other = OTHER_PARAMETERS.get(name.toLowerCase())
  return other !== undefined && known.includes(other) ? other : nearest(name, known)
}

/** Query parameters that the route does not take. */
export const unknownParameters = (given: Iterable<string>, known: readonly string[]): Warning[] =>
  [...given]
    .filter((name) => !known.includes(name))
    .slice(0, MOST_PARAMETERS)
    .map((name) => {
      const near = meantParameter(name, known)
      return {
        ...{ code: 'unknown_parameter', field: name, ...(near !== undefined && { hint: near }) },
        detail: 'The route does not take this query parameter. It was ignored.',
      }
    })

/** A size that is not used as it was sent. */
const ignoredSize = (text: string): Warning[] => {
  const used = pageSizeFor(text)
  if (wholeNumberIn(text) === used) return []
  const detail = `The value of this query parameter was not used. A page has ${used} results.`
  return [{ code: 'ignored_parameter', field: 'page_size', hint: `${used}`, detail }]
}

/** Warnings about query parameters that are not used, or not as they were sent. */
export const queryWarnings = (query: Readonly<Record<string, string>>, known: readonly string[]): Warning[] => [
  ...unknownParameters(Object.keys(query), known),
  ...(known.includes('page_size') && query['page_size'] !== undefined ? ignoredSize(query['page_size']) : []),
]
