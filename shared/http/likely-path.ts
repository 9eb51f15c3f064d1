import { nearest } from './fields/nearest.ts'
import { findKnownPath, isParameter, type KnownRoute, segments } from './known-path.ts'

const BASE = 'api'
/** Characters. No path that is meant is longer. */
const MOST_CHARACTERS = 200

/** The path with one `/api` at its start, no empty segments and a slash at its end. */
const tidied = (path: string): string => {
  const said = segments(path).filter((segment) => segment !== '')
  const start = said.findIndex((segment) => segment.toLowerCase() !== BASE)
  return `/${[BASE, ...(start < 0 ? [] : said.slice(start))].join('/')}/`
}

/** The path as a route has it, when each of its segments is the route's or similar. */
const onRoute = (template: string, path: string): string | undefined => {
  const [expected, actual] = [segments(template), segments(path)]
  if (expected.length !== actual.length) return undefined
  const meant = expected.map((segment, place) => {
    const said = actual[place] ?? ''
    return isParameter(segment) ? said : nearest(said, [segment])
  })
  return meant.includes(undefined) ? undefined : `${meant.join('/')}/`
}

/** The known path that a client probably meant by an unknown one. */
const likelyPath = (routes: readonly KnownRoute[], path: string): string | undefined => {
  const tidy = tidied(path)
  if (tidy !== path && findKnownPath(routes, tidy)) return tidy
  const found = routes.flatMap((route) => onRoute(route.path, tidy) ?? [])
  return found.find((one) => findKnownPath(routes, one) !== undefined)
}

/** The first parameter of a route that is empty in this path, as when a variable of a shell is not set. */
const emptyParameter = (template: string, path: string): string | undefined => {
  const [expected, actual] = [segments(template), segments(path)]
  const fits = expected.length === actual.length && expected.every((segment, place) => isParameter(segment) || segment === actual[place])
  return fits ? expected.find((_, place) => place > 0 && actual[place] === '') : undefined
}

const emptyHelp = (routes: readonly KnownRoute[], path: string): string | undefined => {
  for (const { path: template } of routes) {
    const parameter = emptyParameter(template, path)
    if (parameter !== undefined) return `The value of ${parameter} is missing in ${template}.`
  }
  return undefined
}

/** A sentence for a client whose path no route has. */
export const pathHelp = (routes: readonly KnownRoute[], path: string): string => {
  const empty = emptyHelp(routes, path)
  if (empty !== undefined) return empty
  const likely = path.length > MOST_CHARACTERS ? undefined : likelyPath(routes, path)
  if (likely !== undefined) return `Did you mean ${likely}?`
  return path.startsWith(`/${BASE}/`)
    ? 'The page /api/docs/ lists all paths.'
    : 'Paths begin with /api/. The page /api/docs/ lists all of them.'
}
