import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Documented, type OpenApi, resolved } from './documented.ts'

export interface Given {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const pointer = (...parts: readonly string[]): string =>
  parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')).join('/')

/** @returns a check that lists how a value breaks the schema at a pointer of the document */
const checks = (document: OpenApi) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi.json')
  return (place: string, value: unknown): unknown[] => {
    const validate = ajv.getSchema(`openapi.json#/${place}/content/application~1json/schema`)
    if (!validate) throw new Error(`There is no schema at ${place}.`)
    return validate(value) ? [] : [...(validate.errors ?? [])]
  }
}

/** Headers that only some answers have. */
const SOMETIMES = new Set(['Idempotent-Replayed', 'X-Warnings'])

/** Checks an event's payload against the document. @returns what is wrong */
export const eventPromises = (document: OpenApi) => {
  const check = checks(document)
  return (trigger: string, payload: unknown) => check(pointer('webhooks', trigger, 'post', 'requestBody'), payload)
}

/** All JSON answers and webhooks of the document, each with its examples and a check of them. */
export const documentedExamples = (document: OpenApi) => {
  const check = checks(document)
  const examplesAt = (place: string, content: OpenApi) => {
    const { example, examples = {} } = content['application/json']
    const values: unknown[] = [...(example === undefined ? [] : [example]), ...Object.values<OpenApi>(examples).map(({ value }) => value)]
    return { place, values, breaches: values.flatMap((value) => check(place, value)) }
  }
  const answers = Object.entries<OpenApi>(document.paths).flatMap(([path, methods]) =>
    Object.entries<OpenApi>(methods).flatMap(([method, { responses }]) =>
      Object.entries<OpenApi>(responses).flatMap(([status, answer]) => {
        const { content } = resolved(document, answer)
        if (!content?.['application/json']) return []
        return [examplesAt(answer.$ref?.slice(2) ?? pointer('paths', path, method, 'responses', status), content)]
      }),
    ),
  )
  const events = Object.entries<OpenApi>(document.webhooks).map(([trigger, { post }]) =>
    examplesAt(pointer('webhooks', trigger, 'post', 'requestBody'), post.requestBody.content),
  )
  return [...answers, ...events]
}

/** Checks an answer against the document. @returns what is wrong, empty when nothing is */
export const promises = (document: OpenApi) => {
  const check = checks(document)
  const breaches = ({ method, path, operation }: Documented, { status, headers, body }: Given): unknown[] => {
    const answer = operation.responses[status]
    if (!answer) return [`${status} is not described: ${body.slice(0, 300)}`]
    const missing = Object.keys(answer.headers).filter((name) => !SOMETIMES.has(name) && headers[name] === undefined)
    if (missing.length > 0) return [`${status} lacks ${missing.join()}`]
    const type = (headers['Content-Type'] ?? '').replace(/;.*/, '')
    if (!answer.content) return body === '' ? [] : [`${status} has a body`]
    if (!answer.content[type]) return [`${status} is ${type}`]
    if (type !== 'application/json') return []
    const reference = document.paths[path][method.toLowerCase()].responses[status].$ref
    const place = reference?.slice(2) ?? pointer('paths', path, method.toLowerCase(), 'responses', `${status}`)
    return check(place, JSON.parse(body))
  }
  return breaches
}
