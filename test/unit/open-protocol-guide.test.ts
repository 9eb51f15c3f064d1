import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { components } from '#lib/openapi/schemas.ts'
import { time } from '#lib/reference/costs/quantities.ts'
import { PlaceCallRequest } from '#shared/agents/api/agent-responses.ts'
import { CallReport, REPORT_TYPES } from '#shared/agents/api/call-report.ts'
import { REPORTED_OUTCOMES } from '#shared/calling/call.ts'
import * as silence from '#shared/calling/rules/silence.ts'
import { LeadResponse } from '#shared/leads/api/lead-response.ts'
import { blocksOf, GUIDES } from '#test/support/guides.ts'

const guide = GUIDES.find(({ path }) => path === 'docs/voice-agents.md')!
const blocks = blocksOf(guide)

/** The examples in JSON that have a field. */
const examplesWith = (field: string) =>
  blocks.filter(({ info }) => info === 'json').flatMap(({ text }) => [JSON.parse(text)].filter((one) => field in one))

/** The names in the first cells of tables, such as `call.ended`. */
const named = [...guide.text.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!)

describe('the open protocol in the guide for voice agents', () => {
  it('the guide for voice agents shows every field of the request to place a call, and explains it', () => {
    const [example, ...others] = examplesWith('not_after')
    expect(others).toEqual([])
    expect(Object.keys(example)).toEqual(Object.keys(PlaceCallRequest.entries))
    const { lead, ...rest } = example
    expect(v.safeParse(v.omit(PlaceCallRequest, ['lead']), rest).issues).toBeUndefined()
    expect(Object.keys(LeadResponse.entries)).toEqual(expect.arrayContaining(Object.keys(lead)))
    expect(named).toEqual(expect.arrayContaining(Object.keys(example)))
  })

  it('the guide for voice agents shows a valid example of every type of report, and lists the types', () => {
    const reports = blocks.filter(({ info }) => info === 'jsonl').flatMap(({ text }) => text.split('\n').map((line) => JSON.parse(line)))
    expect(reports.map(({ type }) => type).sort()).toEqual([...REPORT_TYPES].sort())
    for (const schema of [CallReport, components.CallReport])
      for (const report of reports) expect(v.safeParse(schema, report).issues).toBeUndefined()
    expect(named).toEqual(expect.arrayContaining([...REPORT_TYPES]))
  })

  it('the guide for voice agents names every outcome', () => {
    expect(REPORTED_OUTCOMES.filter((outcome) => !guide.text.includes(`\`${outcome}\``))).toEqual([])
  })

  it.each([
    ['Accepted', 'lead_status'],
    ['CancelCall', 'reason'],
    ['InboundCall', 'from'],
  ] as const)('the guide for voice agents shows an example of %s that the API document allows', (component, field) => {
    const examples = examplesWith(field)
    expect(examples).toHaveLength(1)
    expect(v.safeParse(components[component], examples[0]).issues).toBeUndefined()
  })

  it('the guide for voice agents tells how long the service waits for reports', () => {
    const waits = [silence.AFTER_END, silence.AFTER_ANSWER, silence.AFTER_ACCEPTANCE].map(time)
    expect(waits.filter((wait) => !guide.text.includes(`| ${wait}`))).toEqual([])
  })
})
