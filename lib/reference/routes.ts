import { type Route, routes } from '../routes.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

const ASKERS: Readonly<Record<Route['auth'], string>> = {
  token: 'a user, with an API key',
  agent: 'a voice agent, with its signature',
  platform: 'a voice platform, with its own signature',
  assistant: 'an assistant on a voice platform, with the signature of the platform or the token of the agent',
  ingestion: "a provider, with the API key of the URL's owner, or without a key if the URL requires none",
  none: 'anybody',
}

/** The first sentence of a description. */
const firstSentence = (text: string): string => text.match(/^.*?\.(?=\s|$)/s)?.[0] ?? text

const what = ({ summary, api: { description } }: Route): string =>
  description === undefined ? `${summary}.` : `${summary}. ${firstSentence(description)}`

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
    ...[...Map.groupBy(routes, ({ api }: Route) => api.tag)].flatMap(([tag, ofTag]) => [
      `## ${tag}`,
      markdownTable(['Route', 'What it does', 'Who may ask', 'Function'], ofTag.map(rowOf)),
    ]),
  )
