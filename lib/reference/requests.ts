import type { Json } from '../openapi/operation.ts'
import { type DocumentedOperation, isOfAgents, parametersIn, readOpenApi } from '../openapi/read-openapi.ts'

/** A value in the answer to another request of the file. */
const from = (operationId: string, path: string): string => `{{${operationId}.response.body.$.${path}}}`

const LEAD = from('leadsCreate', 'id')
const OTHER_LEAD = from('leadsBulkCreate', 'results[1].id')

/** Where a path's parameters come from: the start of the path, and the values by name. */
const SOURCES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['/api/leads/', { id: LEAD }],
  ['/api/tasks/', { task_id: from('leadsBulkUpdate', 'results[0].task_id') }],
  ['/api/lead-types/', { id: from('leadTypesList', 'results[0].id') }],
  ['/api/ingestion/uploads/', { upload_id: from('ingestionUpload', 'upload_id') }],
  ['/api/ingest-lead/', { id: '{{ingestion_id}}' }],
  ['/api/users/', { id: from('usersMe', 'id') }],
  ['/api/webhooks/', { id: from('webhooksCreate', 'id'), delivery_id: from('webhooksTest', 'delivery_id') }],
  ['/api/docs/', { file: 'LICENSE' }],
  ['/console/', { file: 'console.css' }],
]

/** Texts of examples in the document that stand for something of the reader. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\+12125550123/g, '{{phone_number}}'],
  [/https:\/\/example\.com\/hook/g, '{{hook_url}}'],
  [/\b51\b/g, LEAD],
  [/\b52\b/g, OTHER_LEAD],
]

/** These end what other requests of their section work with. They come last, in this order. */
const LAST: readonly string[] = ['leadsUpdate', 'webhooksDelete', 'webhooksDeleteByUrl']

const replaced = (text: string): string => REPLACED.reduce((result, [example, value]) => result.replace(example, value), text)

const targetOf = (operation: DocumentedOperation): string => {
  const values = SOURCES.find(([start]) => operation.path.startsWith(start))?.[1] ?? {}
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  const query = parametersIn(operation, 'query').filter(({ required }) => required)
  const search = query.map(({ name }) => `${name}={{${name}}}`).join('&')
  return `{{url}}${path}${search === '' ? '' : `?${search}`}`
}

const requestOf = (operation: DocumentedOperation): string => {
  const example = operation.requestBody?.content['application/json'].example
  const lines = [
    `### ${operation.summary}`,
    `# @name ${operation.operationId}`,
    `${operation.method} ${targetOf(operation)}`,
    ...(operation.security.some((scheme) => 'token' in scheme) ? ['Authorization: Token {{key}}'] : []),
    ...(example === undefined ? [] : ['Content-Type: application/json', '', replaced(JSON.stringify(example, null, 2))]),
  ]
  return lines.join('\n')
}

/** The place of a request in its section. Requests come first when other requests use their answers. */
const rankIn =
  (texts: string) =>
  ({ operationId }: DocumentedOperation): number => {
    if (LAST.includes(operationId)) return 2 + LAST.indexOf(operationId)
    return texts.includes(`{{${operationId}.`) ? 0 : 1
  }

const HEADER = `# Every request of clients, with an example. Send them in this order: later ones use ids from earlier answers.
# Programs that know this format: VS Code with the extension REST Client, Visual Studio, and others. In JetBrains, write in the ids by hand.
# Generated from the OpenAPI document by npm run generate: do not edit. Copy the file, and put in your own values:

@url = http://127.0.0.1:3000
@key = lok_...

# A second run needs another number: the first one has a lead, and is on the do-not-contact list.
@phone_number = 212-555-0123
# Where webhooks go.
@hook_url = https://example.com/hook
# The part after /api/ingest-lead/ of an ingestion URL.
@ingestion_id = 00000000-0000-0000-0000-000000000000`

/**
 * A file of requests for HTTP clients in editors: one for each operation of clients. Voice agents sign theirs, which these programs cannot.
 */
export const requestsFile = (document: Json): string => {
  const operations = readOpenApi(document).operations.filter((operation) => !isOfAgents(operation))
  const rank = rankIn(operations.map(requestOf).join('\n'))
  const sections = Map.groupBy(operations, ({ tags: [tag] }) => tag)
  const ordered = [...sections.values()].flatMap((section) => section.toSorted((one, other) => rank(one) - rank(other)))
  return `${[HEADER, ...ordered.map(requestOf)].join('\n\n')}\n`
}
