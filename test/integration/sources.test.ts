import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as list } from '#functions/sources/list.ts'
import { saveSource } from '#shared/ingestion/source-store.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

suiteWorld()

beforeAll(async () => {
  await saveSource({
    ...{ owner: OWNER, name: 'daily', lead_type: 4, mode: 'upsert', lookup_column: 'Ref' },
    mapping: [
      { to: 'external_id', from: 'Ref' },
      { to: 'phone_number', from: ['Phone', 'Mobile'] },
      { to: 'metadata.name', from: ['First', 'Last'], join: ' ' },
      { to: 'metadata.roof', from: 'Roof', required: true },
      { to: 'lead_source', constant: 'daily file' },
    ],
  })
  await saveSource({ owner: OWNER, name: 'events', mode: 'create', mapping: [{ to: 'phone_number', from: 'Phone' }] })
  await saveSource({ owner: 2, name: 'others', mode: 'create', mapping: [{ to: 'phone_number', from: 'Telefon' }] })
})

const get = (query = '', headers = {}) => request(list, { method: 'GET', path: `/api/sources/${query}`, headers })

const column = (names: string[], field: string, { required = false, joined = false } = {}) => ({ names, field, required, joined })

const EVENTS = {
  ...{ key: 'events', lead_type: null, mode: 'create', lookup_column: null },
  columns: [column(['Phone'], 'phone_number', { required: true })],
}

describe('the list of sources', () => {
  it('the list of sources shows the columns of a file, the fields that they fill, and which ones a row needs', async () => {
    const { status, body } = await get()
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{ count: 2, next: null, previous: null },
        results: [
          {
            ...{ key: 'daily', lead_type: 4, mode: 'upsert', lookup_column: 'Ref' },
            columns: [
              column(['Ref'], 'external_id', { required: true }),
              column(['Phone', 'Mobile'], 'phone_number'),
              column(['First', 'Last'], 'metadata.name', { joined: true }),
              column(['Roof'], 'metadata.roof', { required: true }),
            ],
          },
          EVENTS,
        ],
      },
    })
  })

  it('the list of sources shows only those of the caller', async () => {
    const { body } = await get('', { Authorization: `Token ${OTHER_KEY}` })
    expect(body.results).toMatchObject([{ key: 'others' }])
  })

  it('the list of sources comes in pages', async () => {
    const { body } = await get('?page_size=1&page=2')
    expect(body).toMatchObject({ count: 2, next: null, results: [EVENTS] })
    expect(body.previous).toMatch(/\/api\/sources\/\?page_size=1$/)
    expect(await get('?page=3')).toMatchObject({ status: 404, body: { detail: 'Invalid page.' } })
  })
})
