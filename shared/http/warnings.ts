import { MOST_WARNINGS, type Warning } from '../platform/values/warning.ts'
import { nearest } from './fields/nearest.ts'
import type { Reply } from './reply.ts'

/** Characters of a name that are repeated. Clients choose the names. */
const MOST_CHARACTERS = 100

/** A header holds printable ASCII. Other characters are escaped as in a URL. */
const quoted = (text: string): string => {
  const short = text.toWellFormed().slice(0, MOST_CHARACTERS).toWellFormed()
  return `"${short.replace(/[^\x20-\x7e]/gu, encodeURIComponent).replace(/["\\]/g, '\\$&')}"`
}

const item = ({ code, field, hint }: Warning): string =>
  `${code};field=${quoted(field)}${hint === undefined ? '' : `;hint=${quoted(hint)}`}`

/** Names the warnings in a header, as a list of codes with parameters (RFC 8941). */
export const withWarnings = (reply: Reply, warnings: readonly Warning[]): Reply => {
  if (warnings.length === 0) return reply
  const before = reply.headers?.['X-Warnings']
  const items = [...(before === undefined ? [] : [before]), ...warnings.slice(0, MOST_WARNINGS).map(item)]
  const more = warnings.length > MOST_WARNINGS ? ['more'] : []
  return { ...reply, headers: { ...reply.headers, 'X-Warnings': [...items, ...more].join(', ') } }
}

/** Query parameters that the route does not take. */
export const unknownParameters = (given: Iterable<string>, known: readonly string[]): Warning[] =>
  [...given]
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known)
      return {
        ...{ code: 'unknown_parameter', field: name, ...(near !== undefined && { hint: near }) },
        detail: 'The route does not take this query parameter. It was ignored.',
      }
    })
