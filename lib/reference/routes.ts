import type { ApiOperation } from '../openapi/operation.ts'
import { operations } from '../openapi/operations.ts'
import { type Route, routes } from '../routes.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

const ASKERS: Readonly<Record<Route['auth'], string>> = {
  token: 'a user, with an API key',
  agent: 'a voice agent, with its signature',
  ingestion: "a provider: with its owner's API key, or without where the URL asks for none",
  none: 'anybody',
}

const operationOf = (route: Route): ApiOperation => {
  const operation = operations[route.function]
  if (!operation) throw new Error(`lib/openapi/operations.ts says nothing of the function ${route.function}.`)
  return operation
}

/** The first sentence of what is said of it. */
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

/** Every route, by the headings of the API's own document. */
export const routesPage = (): string =>
  markdownPage(
    '# Routes',
    `What clients, providers and voice agents may ask. Fields, answers and examples are in the OpenAPI document, at \`/api/schema/\` of the
running service, and can be tried at \`/api/docs/\`. Every path is served without its last slash as well; a \`GET\` answers \`HEAD\` too; any
other method is a 405 that names those which there are. A function may be asked by several routes.`,
    ...[...Map.groupBy(routes, (route: Route) => operationOf(route).tag)].flatMap(([tag, ofTag]) => [
      `## ${tag}`,
      markdownTable(['Route', 'What it does', 'Who may ask', 'Function'], ofTag.map(rowOf)),
    ]),
  )
