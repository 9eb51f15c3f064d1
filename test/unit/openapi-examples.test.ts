import { describe, expect, it } from '@jest/globals'
import { openApiDocument } from '#lib/openapi/document.ts'
import { ENUMS } from '#lib/openapi/enums.ts'
import { documented } from '#test/support/openapi/documented.ts'
import { documentedExamples } from '#test/support/openapi/promise.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the document
const document: any = JSON.parse(JSON.stringify(openApiDocument()))
const { schemas } = document.components

describe('the examples of answers and webhooks', () => {
  const all = [...new Map(documentedExamples(document).map((one) => [one.place, one])).values()]

  it.each(all.map((one) => [one.place, one] as const))(
    'the examples of answers and webhooks exist and match their schema: %s',
    (_, { values, breaches }) => {
      expect(values).not.toEqual([])
      expect(breaches).toEqual([])
    },
  )

  it('the examples of answers and webhooks show a lead that was called', () => {
    const { example } = document.paths['/api/leads/{id}/'].get.responses['200'].content['application/json']
    expect(example).toMatchObject({
      status: 'CLOSED',
      status_detail: 'warm_transfer',
      next_call_time: null,
      metadata: { first_name: 'Ann' },
    })
  })

  it('the examples of answers show why a lead is not called at night', () => {
    const { example } = document.paths['/api/leads/{id}/explain/'].get.responses['200'].content['application/json']
    const refused = example.gates.filter(({ passed }: { passed: boolean }) => !passed).map(({ gate }: { gate: string }) => gate)
    expect({ refused, callable: example.callable }).toEqual({ refused: ['due', 'window'], callable: false })
  })
})

describe('the example of an answer', () => {
  type Fields = Readonly<Record<string, unknown>>
  const itemsOf = ({ leads, results, ...fields }: { leads?: Fields[]; results?: Fields[] } & Fields): Fields[] =>
    leads ?? results ?? [fields]
  const pairs = documented(document).flatMap(({ method, path, operation: { example, responses } }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const answer = content?.['application/json'] as { example?: Fields } | undefined
      if (!example || !status.startsWith('2') || !answer?.example) return []
      return [[`${method} ${path} ${status}`, { sent: itemsOf(example as Fields), answered: itemsOf(answer.example) }] as const]
    }),
  )

  it.each(pairs)('the example of an answer has the values that its request sends: %s', (_, { sent, answered }) => {
    expect(answered).toHaveLength(sent.length)
    for (const [at, { metadata, ...own }] of answered.entries()) {
      const shown: Fields = { ...(metadata as Fields | undefined), ...own }
      const both = Object.entries(sent[at] ?? {}).filter(([key]) => shown[key] !== undefined && shown['action'] !== 'error')
      expect(shown).toMatchObject(Object.fromEntries(both))
    }
  })

  it('the example of a scheduled call has the time that its request asks for', () => {
    const { requestBody, responses } = document.paths['/api/leads/{id}/schedule-call/'].post
    const { call_time } = requestBody.content['application/json'].example
    expect(Date.parse(responses['200'].content['application/json'].example.next_call_time)).toBe(Date.parse(call_time))
  })

  it('no two leads in the examples of answers have the same phone number and email', () => {
    const { results } = document.paths['/api/leads/'].get.responses['200'].content['application/json'].example
    expect(new Set(results.map(({ phone_number, email }: Record<string, string>) => `${phone_number} ${email}`)).size).toBe(results.length)
  })
})

describe('the closed lists of values', () => {
  it.each(Object.entries(ENUMS))('the closed list of values %s has a schema that tells what each value means', (name, { values }) => {
    expect(schemas[name].enum).toEqual(values)
    const told = [...schemas[name].description.matchAll(/^- `(\w+)`: .+\.$/gm)].map(([, value]) => value)
    expect(told).toEqual(values)
    expect(JSON.stringify(document).includes(`"#/components/schemas/${name}"`)).toBe(true)
  })

  it('answers and requests in the API document refer to the closed lists of values', () => {
    const status = { $ref: '#/components/schemas/LeadStatus' }
    expect([schemas.Lead.properties.status, schemas.UpdateLead.properties.status]).toEqual([status, status])
    expect(schemas.CreateSubscription.properties.trigger.items).toEqual({ $ref: '#/components/schemas/Trigger' })
    const { parameters } = document.paths['/api/leads/'].get
    expect(parameters.find(({ name }: { name: string }) => name === 'status').schema.items).toEqual(status)
  })
})
