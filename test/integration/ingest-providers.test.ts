import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { ingest, newUrl } from '#test/support/ingestion.ts'
import { suiteWorld } from '#test/support/suite-world.ts'

suiteWorld()

const FOLDER = new URL('../providers/', import.meta.url)

const providers = readdirSync(FOLDER).map((file) => {
  const { about, ...provider } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
  return [file.replace('.json', ''), about, provider] as const
})

/** Keys that only repeat fields of the lead. */
const ECHOES = ['phone_number', 'email', 'lead_source', 'external_id', 'created_at']

describe('the sample requests of lead providers', () => {
  it('the sample requests of lead providers come from at least five providers', () => {
    expect(providers.length).toBeGreaterThanOrEqual(5)
  })

  it.each(providers)(
    'a sample request of a lead provider becomes the expected lead: %s: %s',
    async (_name, _about, { type, body, mapping, lead }) => {
      const { status, json } = await ingest('create', await newUrl({ mapping }), body, { type })
      expect({ status, json }).toMatchObject({ status: 201 })
      const { metadata, ...fields } = json
      const { metadata: expected, ...others } = lead
      expect(fields).toMatchObject(others)
      expect(Object.fromEntries(Object.entries(metadata).filter(([key]) => !ECHOES.includes(key)))).toEqual(expected)
    },
  )
})
