import type { RouteSpec } from '../model.ts'

export interface RouteMatch {
  readonly route: RouteSpec
  readonly pathParameters: Readonly<Record<string, string>>
}

interface Node {
  readonly methods: Map<string, RouteSpec>
  readonly literals: Map<string, Node>
  /** The parameter child, and the greedy child. A parent has at most one of each. */
  parameter: Child | undefined
  greedy: Child | undefined
}

interface Child {
  readonly name: string
  readonly node: Node
}

const newNode = (): Node => ({ methods: new Map(), literals: new Map(), parameter: undefined, greedy: undefined })

const childOf = (parent: Node, part: string): Node => {
  const variable = /^\{(.+?)(\+?)\}$/.exec(part)
  if (variable === null) {
    const literal = parent.literals.get(part) ?? newNode()
    parent.literals.set(part, literal)
    return literal
  }
  const child = (variable[2] === '+' ? parent.greedy : parent.parameter) ?? { name: variable[1] ?? '', node: newNode() }
  if (variable[2] === '+') parent.greedy = child
  else parent.parameter = child
  return child.node
}

/** The segments of a path. A trailing slash adds none. */
const segmentsOf = (path: string): readonly string[] => {
  const inner = path.slice(1).replace(/\/$/, '')
  return inner === '' ? [] : inner.split('/')
}

/**
 * On AWS, `ANY` excludes methods that API Gateway does not know, such as TRACE. API Gateway answers these itself, without a list of allowed
 * methods.
 */
const methodOf = (node: Node, method: string): RouteSpec | undefined => node.methods.get(method) ?? node.methods.get('ANY')

const search = (
  node: Node,
  method: string,
  segments: readonly string[],
  pathParameters: RouteMatch['pathParameters'],
): RouteMatch | undefined => {
  const [segment, ...rest] = segments
  if (segment === undefined) {
    const route = methodOf(node, method)
    return route === undefined ? undefined : { route, pathParameters }
  }
  const literal = node.literals.get(segment)
  const exact = literal === undefined ? undefined : search(literal, method, rest, pathParameters)
  if (exact !== undefined) return exact
  const { parameter, greedy } = node
  const bound =
    parameter === undefined || segment === ''
      ? undefined
      : search(parameter.node, method, rest, { ...pathParameters, [parameter.name]: segment })
  if (bound !== undefined || greedy === undefined) return bound
  return search(greedy.node, method, [], { ...pathParameters, [greedy.name]: segments.join('/') })
}

/**
 * Finds the route of a request as API Gateway does. Literal parts come before parameters, and these before `{proxy+}`. A resource without
 * the method does not match: the next less specific resource gets the request. `path` is percent-encoded; the parameters are decoded.
 * @throws URIError when the path's encoding is broken
 */
export const createRouter = (routes: readonly RouteSpec[]): ((method: string, path: string) => RouteMatch | undefined) => {
  const root = newNode()
  for (const route of routes) segmentsOf(route.path).reduce(childOf, root).methods.set(route.method, route)
  return (method, path) => search(root, method, segmentsOf(path).map(decodeURIComponent), {})
}
