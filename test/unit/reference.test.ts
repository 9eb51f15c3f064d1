import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { formatted } from '#lib/formatted.ts'
import { openApiDocument } from '#lib/openapi/document.ts'
import { documents } from '#lib/reference/documents.ts'
import { samplePayload } from '#lib/reference/event-samples.ts'
import { TRIGGERS } from '#shared/platform/values/values.ts'
import { eventPromises } from '#test/support/openapi/promise.ts'

const FOLDER = resolve(import.meta.dirname, '../../lib/reference')
const made = documents()

describe('the references', () => {
  it.each(Object.entries(made))('%s is as the code has it: npm run generate writes it anew', (file, text) => {
    expect(readFileSync(resolve(FOLDER, file), 'utf8')).toBe(formatted(`lib/reference/${file}`, text))
  })

  it('are all made of the code', () => {
    // That of the alarms is made of the stacks, whose tests look at it.
    const all = [...Object.keys(made), 'alarms.md'].toSorted()
    expect(readdirSync(FOLDER).filter((file) => file.endsWith('.md'))).toEqual(all)
  })
})

describe('the examples of events', () => {
  const breaches = eventPromises(JSON.parse(JSON.stringify(openApiDocument())))

  it.each(TRIGGERS)('hold what the document promises of %s', (trigger) => {
    expect(breaches(trigger, JSON.parse(JSON.stringify(samplePayload(trigger))))).toEqual([])
  })
})
