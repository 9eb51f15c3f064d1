/** A route, for the function that answers requests without a route. `path`: as `/api/leads/{id}/`. */
export interface KnownRoute {
  readonly method: string
  readonly path: string
  readonly auth: 'token' | 'agent' | 'platform' | 'assistant' | 'ingestion' | 'none'
  /** The names of its query parameters. */
  readonly query: readonly string[]
}

export interface KnownPath {
  /** Includes OPTIONS, and HEAD where GET exists. */
  readonly methods: readonly string[]
  readonly needsToken: boolean
  /** The query parameters that any of its methods takes. */
  readonly query: readonly string[]
}

export const segments = (path: string): string[] => path.replace(/\/$/, '').split('/')

export const isParameter = (segment: string): boolean => segment.startsWith('{')

const matches = (template: string, path: string): boolean => {
  const [expected, actual] = [segments(template), segments(path)]
  return (
    expected.length === actual.length &&
    expected.every((segment, index) => (isParameter(segment) ? actual[index] !== '' : segment === actual[index]))
  )
}

/** Literal segments win over parameters, and the leftmost difference decides. API Gateway chooses in the same order. */
const specificity = (template: string): string =>
  segments(template)
    .map((segment) => (isParameter(segment) ? '1' : '0'))
    .join('')

/** The order in the `Allow` header. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** Methods and authentication of a path, with or without a trailing slash. @returns undefined when no route has it */
export const findKnownPath = (routes: readonly KnownRoute[], path: string): KnownPath | undefined => {
  const candidates = routes.filter((route) => matches(route.path, path))
  const [best] = candidates.map((route) => specificity(route.path)).sort()
  const chosen = candidates.filter((route) => specificity(route.path) === best)
  if (chosen.length === 0) return undefined
  const methods = new Set([...chosen.map((route) => route.method), 'OPTIONS'])
  if (methods.has('GET')) methods.add('HEAD')
  return {
    methods: METHODS.filter((method) => methods.has(method)),
    needsToken: chosen.some((route) => route.auth === 'token'),
    query: chosen.flatMap((route) => route.query),
  }
}
