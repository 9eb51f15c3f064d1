import { MOST_WARNINGS, type Warning } from '../platform/values/warning.ts'
import { nearest } from './fields/nearest.ts'
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

/** Query parameters that the route does not take. */
export const unknownParameters = (given: Iterable<string>, known: readonly string[]): Warning[] =>
  [...given]
    .filter((name) => !known.includes(name))
    .slice(0, MOST_PARAMETERS)
    .map((name) => {
      const near = nearest(name, known)
      return {
        ...{ code: 'unknown_parameter', field: name, ...(near !== undefined && { hint: near }) },
        detail: 'The route does not take this query parameter. It was ignored.',
      }
    })
