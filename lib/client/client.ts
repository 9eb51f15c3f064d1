import { ApiError, type ApiWarning, NoAnswerError, readWarnings } from './api-error.ts'
import { type KeptAnswers, keptAnswers } from './kept-answers.ts'
import type { Operations } from './operations.ts'
import { delayToNextAttempt, sleep } from './retry.ts'

export interface ClientSettings {
  /** Address of the service: `https://leads.example.com`. */
  readonly url: string
  readonly apiKey: string
  /** Only for staff: id of the user for whom each request is made. */
  readonly actAsUser?: number | undefined
  /** Limit of one attempt, in milliseconds. Default: 35,000, which is more than the service takes for 1,000 leads. */
  readonly timeoutMs?: number
  /** How often a request is sent again after it failed. Default: 3. */
  readonly retries?: number
  /**
   * How many answers to GET requests the client keeps in memory. If the service says that such an answer has not changed, you get the same
   * object again. Default: 0.
   */
  readonly keptAnswers?: number
  /** Replaces the `fetch` of the platform, for example to go through a proxy. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Replaces the waiting between attempts, for tests. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** Options of a request, besides the parts that its operation names. */
interface Control {
  /** Ends the request and its retries. */
  readonly signal?: AbortSignal | undefined
  /**
   * Only for a POST. Repeats with the same key within a day are handled once. Default: a new one for each request, which its retries share. Give
   * one of your own if your program may stop before it has the answer.
   */
  readonly idempotencyKey?: string | undefined
}

/** Any operation, as `METHOD /path/`. */
export type OperationName = keyof Operations

type Parts<N extends OperationName> = Omit<Operations[N], 'answer'> & Control

/** Arguments after the operation. They may be left out if all of its parts may. */
type Rest<N extends OperationName> = Record<never, never> extends Parts<N> ? [request?: Parts<N>] : [request: Parts<N>]

export interface ApiAnswer<T> {
  readonly status: number
  readonly data: T
  readonly warnings: readonly ApiWarning[]
  readonly headers: Headers
}

/** Operations that answer a page of a list. */
export type ListName = {
  [N in OperationName]: Operations[N]['answer'] extends { readonly next: string | null } ? N : never
}[OperationName]

type Item<N extends ListName> = Operations[N]['answer'] extends { readonly results: readonly (infer I)[] } ? I : never

interface AnyRequest extends Control {
  readonly path?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}

interface Attempt {
  /** An earlier answer, whose tag is sent along. */
  readonly kept: ApiAnswer<unknown> | undefined
  readonly signal: AbortSignal | undefined
}

const isPage = (data: unknown): data is { readonly next: string | null; readonly results: readonly unknown[] } =>
  typeof data === 'object' && data !== null && 'next' in data && 'results' in data && Array.isArray(data.results)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text === '' ? undefined : text
  }
}

/** A parameter with several values is repeated. */
const searchOf = (query: object): URLSearchParams => {
  if (query instanceof URLSearchParams) return query
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one))
  }
  return search
}

/** The path with its parameters filled in, and the query. @throws Error when a parameter is missing */
const addressOf = (template: string, path: object, query: object): string => {
  const values = new Map<string, unknown>(Object.entries(path))
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined || value === null || value === '') throw new Error(`${template} needs path.${name}.`)
    return encodeURIComponent(String(value))
  })
  const search = searchOf(query)
  return search.size === 0 ? filled : `${filled}?${search}`
}

/** The address without the slashes at its end and without /api, with which the paths of operations begin. */
const withoutApi = (url: string): string => {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.endsWith('/api', end) ? url.slice(0, end - '/api'.length) : url.slice(0, end)
}

/** A client of the Lead Outreach Service. */
export class LeadOutreachClient {
  readonly #settings: Required<ClientSettings>
  readonly #kept: KeptAnswers<ApiAnswer<unknown>>

  constructor(settings: ClientSettings) {
    const { url, apiKey, timeoutMs = 35_000, retries = 3, keptAnswers: most = 0 } = settings
    if (!/^https?:\/\/[^/]/.test(url)) throw new Error(`The address of the service begins with https:// or http://, unlike "${url}".`)
    if (!apiKey) throw new Error('The API key is missing.')
    this.#settings = {
      url: withoutApi(url),
      apiKey,
      actAsUser: settings.actAsUser,
      timeoutMs,
      retries,
      keptAnswers: most,
      fetch: settings.fetch ?? ((address, init) => fetch(address, init)),
      sleep: settings.sleep ?? sleep,
    }
    this.#kept = keptAnswers(most)
  }

  /**
   * Sends a request, and sends it again where that is safe: after a 429 always, otherwise only GET, DELETE, and POST, whose
   * `Idempotency-Key` the client sets. A lost answer to a PUT or PATCH is an error: a later change may have come between.
   *
   * @throws ApiError for an answer of 300 or more, NoAnswerError when none came, the signal's reason when it aborted
   */
  request<N extends OperationName>(operation: N, ...rest: Rest<N>): Promise<ApiAnswer<Operations[N]['answer']>>
  request(operation: string, request: AnyRequest = {}): Promise<ApiAnswer<unknown>> {
    return this.#send(operation, request)
  }

  /** All items of a list, page by page. Leads that are created meanwhile move numbered pages, so an item may come twice. */
  each<N extends ListName>(operation: N, ...rest: Rest<N>): AsyncGenerator<Item<N>, void>
  async *each(operation: string, request: AnyRequest = {}): AsyncGenerator<unknown, void> {
    for (let query = request.query ?? {}; ; ) {
      const { data } = await this.#send(operation, { ...request, query })
      if (!isPage(data)) throw new Error(`${operation} did not answer a page of a list.`)
      yield* data.results
      if (data.next === null) return
      query = new URL(data.next).searchParams
    }
  }

  async #send(operation: string, request: AnyRequest): Promise<ApiAnswer<unknown>> {
    const { url, apiKey, actAsUser, retries } = this.#settings
    const [method = '', template = ''] = operation.split(' ')
    const { path = {}, query = {}, body, signal, idempotencyKey = crypto.randomUUID() } = request
    const address = `${url}${addressOf(template, path, query)}`
    const kept = method === 'GET' ? this.#kept.get(address) : undefined
    const isRepeatable = ['GET', 'DELETE', 'POST'].includes(method)
    const init: RequestInit = {
      method,
      headers: {
        Authorization: `Token ${apiKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(method === 'POST' && { 'Idempotency-Key': idempotencyKey }),
        ...(actAsUser !== undefined && { 'X-Act-As-User': `${actAsUser}` }),
        ...(kept && { 'If-None-Match': kept.headers.get('etag') ?? '' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Following one would send a POST as a GET, and the key to another server.
      redirect: 'manual',
    }
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.#attempt(operation, address, init, { kept, signal })
        return method === 'GET' ? this.#kept.keep(address, answer) : answer
      } catch (failure) {
        signal?.throwIfAborted()
        const delay = attempt < retries ? delayToNextAttempt({ attempt, failure, isRepeatable }) : undefined
        if (delay === undefined) throw failure instanceof ApiError ? failure : new NoAnswerError(operation, attempt + 1, failure)
        await this.#settings.sleep(delay, signal)
      }
    }
  }

  async #attempt(operation: string, address: string, init: RequestInit, { kept, signal }: Attempt): Promise<ApiAnswer<unknown>> {
    const limit = AbortSignal.timeout(this.#settings.timeoutMs)
    const answer = await this.#settings.fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit })
    const data = parsed(await answer.text())
    if (answer.status === 304 && kept) return kept
    if (!answer.ok) throw new ApiError(operation, answer, data)
    const { status, headers } = answer
    return { status, data, warnings: readWarnings(headers.get('x-warnings')), headers }
  }
}
