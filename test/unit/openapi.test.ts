import { describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import served from '#functions/docs/openapi.json' with { type: 'json' }
import { handler as schema } from '#functions/docs/schema.ts'
import { openApiDocument } from '#lib/openapi/document.ts'
import { components } from '#lib/openapi/schemas.ts'
import { routes } from '#lib/routes.ts'
import { REPORT_TYPES, CallReport as TakenReport } from '#shared/agents/api/call-report.ts'
import { representCall } from '#shared/calling/api/call.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { returnDatetimesIn } from '#shared/platform/values/time.ts'
import { send } from '#test/support/api-event.ts'
import { documented } from '#test/support/openapi/documented.ts'
import { promises } from '#test/support/openapi/promise.ts'
import { sampleCall, sampleLead } from '#test/support/samples.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the document
const document: any = JSON.parse(JSON.stringify(openApiDocument()))
const all = documented(document)

describe('the OpenAPI document', () => {
  it('the OpenAPI document matches the code (otherwise run `npm run generate`)', () => {
    expect(served).toEqual(document)
  })

  it('the OpenAPI document is valid', async () => {
    expect(await new Validator({ strict: false }).validate(structuredClone(document))).toEqual({ valid: true })
  })

  it('the OpenAPI document has the version of the interface', () => {
    expect(document.info).toMatchObject({ title: 'Lead Outreach Service', version: '1.0.2' })
  })

  it('the OpenAPI document describes every route of the table once', () => {
    expect(all).toHaveLength(routes.length)
    expect(new Set(all.map(({ operation }) => operation.operationId)).size).toBe(routes.length)
  })

  it.each(all.map((one) => [`${one.method} ${one.path}`, one] as const))(
    'the OpenAPI document describes %s',
    (_, { path, operation, body }) => {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(named)
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['429', '5XX']))
      for (const [name, described] of Object.entries(body?.properties ?? {}))
        expect({ [name]: Object.keys(described) }).not.toEqual({ [name]: [] })
    },
  )

  it.each(
    all.flatMap(({ operation, method, path }) => (operation.example === undefined ? [] : [[`${method} ${path}`, operation] as const])),
  )('the OpenAPI document shows an example of %s that passes validation', (_, { example, bodyName }) => {
    expect(v.safeParse(components[bodyName as keyof typeof components], example).issues).toBeUndefined()
  })

  it('the OpenAPI document requires a body only where an empty one is refused', () => {
    const bodies = Object.values<Record<string, { operationId: string; requestBody?: { required: boolean } }>>(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, requestBody }) => (requestBody ? [[operationId, requestBody.required] as const] : []))
    const free = [
      ...['leadsUpdate', 'leadsScheduleCall', 'usersPauseCalls', 'usersUnpauseCalls', 'webhooksUpdate', 'webhooksEnable'],
      ...['usersRotateWebhookSecret', 'webhooksResend', 'webhooksTest'],
    ]
    expect(bodies.filter(([, required]) => !required).map(([name]) => name)).toEqual(free)
    expect(bodies.length).toBeGreaterThan(10)
  })

  it.each(['leadsList', 'leadsCalls'])('the OpenAPI document has a 400 with field errors for %s', (name) => {
    const { responses } = all.find(({ operation }) => operation.operationId === name)!.operation
    expect(responses['400']!.content!['application/json']!.schema.anyOf).toContainEqual({ $ref: '#/components/schemas/FieldErrors' })
  })

  it('the OpenAPI document requires lead ids of at least 1 in a bulk update', () => {
    expect(document.components.schemas.BulkUpdate.properties.leads.items.properties.id).toMatchObject({ minimum: 1 })
  })

  it('the OpenAPI document lists exactly the call reports that the service accepts', () => {
    expect(components.CallReport.options.map(({ entries }) => entries.type.literal)).toEqual(REPORT_TYPES)
  })

  it.each(
    components.CallReport.options.map(
      (option) => [option.entries.type.literal, v.getMetadata(option)['examples'] as readonly object[]] as const,
    ),
  )('the OpenAPI document shows examples of %s reports that are accepted unchanged', (type, examples) => {
    expect(examples).not.toEqual([])
    for (const example of examples) {
      expect(v.safeParse(components.CallReport, example).issues).toBeUndefined()
      const taken = v.parse(TakenReport, example)
      expect(taken).toMatchObject({ type, call_id: expect.any(String), time: expect.any(Number) })
      // A wrong optional field is ignored, so the parse above would not show it.
      const told = Object.entries((example as { data?: object }).data ?? {}).filter(([, value]) => value !== null)
      for (const [name, value] of told) {
        const kept = (taken.data as Record<string, unknown>)[name]
        expect({ [name]: kept }).toEqual({ [name]: name.endsWith('_time') ? Date.parse(String(value)) : value })
      }
    }
  })

  it('the OpenAPI document matches a lead with every field set and a lead with few', () => {
    expect(v.safeParse(components.Lead, representLead(sampleLead())).issues).toBeUndefined()
    const full = sampleLead({ email: 'a@b.co', us_state: 'NY', external_id: 'x', last_reengagement_time: 0, metadata: { a: [{}] } })
    returnDatetimesIn('America/New_York')
    const shown = representLead(full)
    returnDatetimesIn('UTC')
    expect(shown.created_time).toMatch(/-0[45]:00$/)
    expect(v.safeParse(components.Lead, shown).issues).toBeUndefined()
    expect(v.safeParse(components.Lead, representCall(sampleCall())).success).toBe(false)
  })
})

describe('the documented shape of an answer', () => {
  const retrieve = all.find(({ operation }) => operation.operationId === 'leadsRetrieve')!
  const lead = representLead(sampleLead())
  const headers = { 'Content-Type': 'application/json', 'X-Request-Id': 'r', ETag: '"a"' }
  const breaches = (status: number, body: unknown, sent: Record<string, string> = headers) =>
    promises(document)(retrieve, { status, headers: sent, body: JSON.stringify(body) })

  it('a lead and a 404 fit the documented shape of an answer', () => {
    expect(breaches(200, lead)).toEqual([])
    expect(breaches(404, { detail: 'Not found.' })).toEqual([])
  })

  it.each([
    ['another status', () => breaches(418, lead)],
    ['a header that is missing', () => breaches(200, lead, { 'Content-Type': 'application/json', 'X-Request-Id': 'r' })],
    ['another type', () => breaches(200, lead, { ...headers, 'Content-Type': 'text/html' })],
    ['a field too many', () => breaches(200, { ...lead, owner: 1 })],
    ['a field too few', () => breaches(200, { ...lead, sms_dnc: undefined })],
    ['a value outside its list', () => breaches(200, { ...lead, status: 'SLEEPING' })],
    ['a refusal in another shape', () => breaches(404, { error: 'Not found.' })],
  ])('an answer with %s breaks the documented shape', (_, broken) => {
    expect(broken()).not.toEqual([])
  })
})

describe('GET /api/schema/', () => {
  it.each([
    ['https://api.example.com/prod', '/prod'],
    ['https://api.example.com', ''],
  ])('GET /api/schema/ names %s as the server when the client asked there', async (url, stage) => {
    for (const path of ['/api/schema/', '/api/schema']) {
      const answer = await send(schema, {
        method: 'GET',
        path,
        domainName: 'api.example.com',
        requestPath: `${stage}${path}`,
      })
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ ...document, servers: [{ url }] })
    }
  })
})
