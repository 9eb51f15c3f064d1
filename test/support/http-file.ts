/** A request of an `.http` file, before its variables are filled in. */
interface WrittenRequest {
  readonly name: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const requestIn = (section: string): WrittenRequest => {
  const [head = '', ...rest] = section.split('\n\n')
  const lines = head.trim().split('\n')
  const name = lines.map((line) => /^# @name (\w+)$/.exec(line)?.[1]).find((found) => found !== undefined) ?? ''
  const [start = '', ...headers] = lines.slice(1).filter((line) => !line.startsWith('#'))
  const [method = '', target = ''] = start.split(' ')
  const body = rest.join('\n\n').trim()
  const entries = headers.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  return { name, method, target, headers: Object.fromEntries(entries), body: body === '' ? undefined : body }
}

/** Reads a file in the format of the extension REST Client. */
const parseHttpFile = (text: string) => {
  const [top = '', ...sections] = text.split(/^(?=### )/m)
  const variables = Object.fromEntries([...top.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]))
  return { variables, requests: sections.map(requestIn) }
}

/** The value at a path such as `results[0].id`. */
const valueAt = (body: unknown, path: string): unknown =>
  path.split(/[.[\]]+/).reduce((value, key) => (key === '' ? value : (value as Record<string, unknown> | undefined)?.[key]), body)

export interface HttpFileAnswer extends WrittenRequest {
  readonly status: number
  readonly answer: string
}

/** Sends all requests in their order, as an editor does. `own`: values for variables of the file. */
export const sendHttpFile = async (text: string, own: Readonly<Record<string, string>>): Promise<HttpFileAnswer[]> => {
  const file = parseHttpFile(text)
  const unknown = Object.keys(own).filter((name) => !(name in file.variables))
  if (unknown.length > 0) throw new Error(`The file has no variable ${unknown.join()}.`)
  const variables = { ...file.variables, ...own }
  const bodies = new Map<string, unknown>()
  const filledIn = (reference: string): string => {
    const [, name = '', path = ''] = /^(\w+)\.response\.body\.\$\.(.+)$/.exec(reference) ?? []
    const value = name === '' ? variables[reference] : valueAt(bodies.get(name), path)
    if (value === undefined || value === null) throw new Error(`Nothing is known of {{${reference}}}.`)
    return String(value)
  }
  const filled = (template: string): string => template.replace(/\{\{(.+?)\}\}/g, (_, reference: string) => filledIn(reference))
  const answers: HttpFileAnswer[] = []
  for (const request of file.requests) {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, filled(value)]))
    const sent = { method: request.method, headers, ...(request.body !== undefined && { body: filled(request.body) }) }
    const response = await fetch(filled(request.target), sent)
    const answer = await response.text()
    const isJson = answer !== '' && response.headers.get('content-type')?.startsWith('application/json')
    if (isJson) bodies.set(request.name, JSON.parse(answer))
    answers.push({ ...request, status: response.status, answer })
  }
  return answers
}
