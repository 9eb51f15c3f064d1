import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { REFERENCE_FOLDER } from '#lib/generated.ts'
import { openApiDocument } from '#lib/openapi/document.ts'
import { documents } from '#lib/reference/documents.ts'
import { samplePayload } from '#lib/reference/event-samples.ts'
import { TRIGGERS } from '#shared/platform/values/values.ts'
import { eventPromises } from '#test/support/openapi/promise.ts'
import { withoutLayout } from '#test/support/without-layout.ts'

const FOLDER = resolve(import.meta.dirname, '../..', REFERENCE_FOLDER)
const made = documents()

describe('the generated references', () => {
  it.each(Object.entries(made))('the generated references match what npm run generate writes: %s', (file, text) => {
    expect(withoutLayout(readFileSync(resolve(FOLDER, file), 'utf8'))).toBe(withoutLayout(text))
  })

  it('the generated references are the only files in their folder', () => {
    // The tests of the stacks check alarms.md, because it needs the stacks.
    const all = [...Object.keys(made), 'alarms.md'].toSorted()
    expect(readdirSync(FOLDER)).toEqual(all)
  })
})

describe('the examples of events', () => {
  const breaches = eventPromises(JSON.parse(JSON.stringify(openApiDocument())))

  it.each(TRIGGERS)('the example of the event %s matches the OpenAPI document', (trigger) => {
    expect(breaches(trigger, JSON.parse(JSON.stringify(samplePayload(trigger))))).toEqual([])
  })
})
