import { expect } from '@jest/globals'
import { helped } from '#test/support/helped.ts'
import type { Service } from '#test/support/service.ts'
import type { Body, Filling, Request, Row } from './rows.ts'

const fillText = (text: string, filling: Filling): string | number => {
  const alone = /^\{(\w+)\}$/.exec(text)?.[1]
  if (alone !== undefined && filling[alone] !== undefined) return filling[alone]
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => `${filling[name] ?? whole}`)
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** Fills the braces in a value and in its keys. Matchers stay unchanged. */
const fill = (value: unknown, filling: Filling): unknown => {
  if (typeof value === 'string') return fillText(value, filling)
  if (Array.isArray(value)) return value.map((item) => fill(item, filling))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [fillText(key, filling), fill(item, filling)]))
}

/** An expected answer. Its texts may leave out the help that follows their words: see `helped`. */
const expected = (value: unknown, filling: Filling): unknown => {
  if (typeof value === 'string') {
    const text = fillText(value, filling)
    return typeof text === 'string' && text.includes(' …') ? helped(text) : text
  }
  if (Array.isArray(value)) return value.map((item) => expected(item, filling))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [fillText(key, filling), expected(item, filling)]))
}

const formOf = <F extends URLSearchParams | FormData>(form: F, fields: Readonly<Record<string, string>>, filling: Filling): F => {
  for (const [name, value] of Object.entries(fields)) form.set(name, `${fill(value, filling)}`)
  return form
}

const bodyOf = (body: Body, filling: Filling): { readonly content: NonNullable<RequestInit['body']>; readonly type?: string } => {
  if ('json' in body) return { content: JSON.stringify(fill(body.json, filling)), type: 'application/json' }
  if ('urlencoded' in body) return { content: formOf(new URLSearchParams(), body.urlencoded, filling) }
  if ('multipart' in body) return { content: formOf(new FormData(), body.multipart, filling) }
  const text = typeof body.raw === 'string' ? `${fill(body.raw, filling)}` : body.raw
  const { type = 'application/json' } = body
  // As bytes, because fetch sets a content type of its own for text.
  return { content: Buffer.from(text), ...(type !== null && { type }) }
}

export const send = async (service: Service, { ask, body, headers = {}, as }: Request, filling: Filling) => {
  const [method = '', path = ''] = ask.split(/ (.*)/)
  const key = as ? { other: service.otherApiKey, staff: service.staffApiKey }[as] : service.apiKey
  const { content, type } = body ? bodyOf(body, filling) : {}
  const all = { authorization: `Token ${key}`, 'content-type': type, ...headers }
  const present = Object.entries(all).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const answer = await fetch(`${service.url}${fill(path, filling)}`, {
    method,
    headers: present.map(([name, value]) => [name, `${fill(value, filling)}`]),
    ...(content !== undefined && { body: content }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}

let lastPhone = 0
const newPhone = (): string => `+1202555${`${++lastPhone}`.padStart(4, '0')}`

/** Fillings of one row: its own numbers and texts, and those of the whole run. */
const fillingFor = (common: Filling): Filling => {
  const [phone, phone2] = [newPhone(), newPhone()]
  return {
    ...common,
    phone,
    phone2,
    digits: phone.slice(2),
    formatted: `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`,
    text: `text-${lastPhone}`,
  }
}

const remembered = ({ body }: Awaited<ReturnType<typeof send>>): Filling => ({
  ...(typeof body?.id === 'number' && { lead: body.id, made: body.id }),
  ...(typeof body?.results?.[0]?.id === 'number' && { lead: body.results[0].id }),
  ...(typeof body?.upload_id === 'string' && { upload: body.upload_id }),
  ...(typeof body?.results?.[0]?.task_id === 'string' && { task: body.results[0].task_id }),
})

/** Sends a row's request, and compares the whole answer. */
export const check = async (service: Service, row: Row, common: Filling): Promise<void> => {
  let filling = fillingFor(common)
  for (const request of row.given ?? []) {
    const given = await send(service, request, filling)
    const isAsPlanned = request.status === undefined ? given.status < 300 : given.status === request.status
    expect({ ask: request.ask, status: given.status, isAsPlanned }).toMatchObject({ isAsPlanned: true })
    filling = { ...filling, ...remembered(given) }
  }
  const answer = await send(service, row, filling)
  expect({ status: answer.status, body: answer.body }).toEqual({ status: row.status, body: expected(row.answer, filling) })
  // Errors must be in the order of the fields.
  if (row.status === 400) expect(Object.keys(answer.body)).toEqual(Object.keys(fill(row.answer, filling) as object))
  const headers = Object.entries(row.answerHeaders ?? {})
  const found = headers.map(([name]) => [name, answer.headers.get(name)])
  expect(found).toEqual(
    headers.map(([name, value]) => [name, value instanceof RegExp ? expect.stringMatching(value) : value && `${fill(value, filling)}`]),
  )
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  if (answer.body !== undefined) expect(answer.headers.get('content-type')).toBe('application/json')
}
