import type { ApiOperation } from '../openapi/operation.ts'
import { operations } from '../openapi/operations.ts'
import { type Route, routes } from '../routes.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

const ASKERS: Readonly<Record<Route['auth'], string>> = {
  token: 'a user, with an API key',
  agent: 'a voice agent, with its signature',
  ingestion: "a provider, with the API key of the URL's owner, or without a key if the URL requires none",
  none: 'anybody',
}

const operationOf = (route: Route): ApiOperation => {
  const operation = operations[route.function]
  if (!operation) throw new Error(`lib/openapi/operations.ts has no entry for the function ${route.function}. Add one.`)
  return operation
}

/** The first sentence of a description. */
const firstSentence = (text: string): string => text.match(/^.*?\.(?=\s|$)/s)?.[0] ?? text

const what = (route: Route): string => {
  const { description } = operationOf(route)
  return description === undefined ? `${route.summary}.` : `${route.summary}. ${firstSentence(description)}`
}

const rowOf = (route: Route): string[] => [
  `${code(`${route.method} ${route.path}`)}`,
  what(route),
  ASKERS[route.auth],
  code(`functions/${route.function}`),
]

/** Every route, under the headings of the API's own document. */
export const routesPage = (): string =>
  markdownPage(
    '# Routes',
    `All requests of clients, providers and voice agents. The OpenAPI document, at \`/api/schema/\` of the running service, has their fields,
answers and examples. Try them at \`/api/docs/\`. The last slash of a path is optional. Every \`GET\` also answers \`HEAD\`. Any other method
returns 405, with the allowed methods. Several routes may share a function.`,
    ...[...Map.groupBy(routes, (route: Route) => operationOf(route).tag)].flatMap(([tag, ofTag]) => [
      `## ${tag}`,
      markdownTable(['Route', 'What it does', 'Who may ask', 'Function'], ofTag.map(rowOf)),
    ]),
  )
