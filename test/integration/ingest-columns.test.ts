import { describe, expect, it } from '@jest/globals'
import { handler as retrieve } from '#functions/ingestion/retrieve-upload.ts'
import { getLead, leadItem } from '#shared/leads/lead-store.ts'
import { leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { csv, ingested, reportLines } from '#test/support/uploads.ts'
import { OWNER, request } from '#test/support/world.ts'

uploadWorld(
  {},
  {
    name: 'several',
    lookup_column: 'Ref',
    mapping: [
      { to: 'external_id', from: ['Lead ID', 'Ref'] },
      { to: 'phone_number', from: ['Mobile', 'Phone'] },
    ],
  },
  { name: 'creates', mode: 'create', lookup_column: null },
  { name: 'by-phone', lookup_column: 'Phone' },
  {
    name: 'decisive',
    mapping: [
      { to: 'external_id', from: ['Lead ID'] },
      { to: 'phone_number', from: ['Phone'] },
      { to: 'email', from: ['Email'] },
      { to: 'us_state', from: ['State'] },
      { to: 'call_dnc', from: ['No Calls'] },
      { to: 'metadata.zip', from: ['Zip'] },
      { to: 'metadata.consent', from: ['Consent'], required: true },
    ],
  },
)

const answered = async ({ upload_id }: { upload_id: string }) =>
  (await request(retrieve, { method: 'GET', path: `/api/ingestion/uploads/${upload_id}/`, parameters: { upload_id } })).body

const leadWith = async (externalId: string) => {
  const [id = 0] = await leadsByExternalId(OWNER, externalId)
  return getLead(id)
}

describe('the state of an upload', () => {
  it('an upload counts the rows with a warning about their lead, once each', async () => {
    const phone = newPhone()
    const rows = [`w-1,Ann,${phone},NY`, `w-2,Bo,${newPhone()},`, `w-3,Cy,${newPhone()},`, `w-4,Di,${phone},NY`]
    const upload = await ingested(csv(rows, 'Lead ID,First Name,Phone,State'))
    expect(await answered(upload)).toMatchObject({
      ...{ created: 4, warnings: { no_place: 2, open_lead: 1 } },
      warning_lines: { no_place: [3, 4], open_lead: [5] },
    })
    const quiet = await ingested(csv([`w-5,Ann,${newPhone()},NY`], 'Lead ID,First Name,Phone,State'))
    expect(await answered(quiet)).not.toHaveProperty('warnings')
    expect(await answered(quiet)).not.toHaveProperty('warning_lines')
  })

  it('an upload counts the warnings about its rows although another lead of one phone cannot be read', async () => {
    const phone = newPhone()
    await ingested(csv([`u-1,Ann,${phone},NY`], 'Lead ID,First Name,Phone,State'))
    await putItem({ ...leadItem((await leadWith('u-1'))!), status: 'NONSENSE' })
    const upload = await ingested(csv([`u-2,Ann,${phone},NY`, `u-3,Bo,${newPhone()},`], 'Lead ID,First Name,Phone,State'))
    expect(await answered(upload)).toMatchObject({ created: 2, warnings: { no_place: 1 }, warning_lines: { no_place: [3] } })
  })

  it('an upload names the first lines with a warning, in the order of the file, over all of its batches', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `l-${index},Ann,${newPhone()},${index % 12 === 0 ? '' : 'NY'}`)
    const { warnings, warning_lines } = await answered(await ingested(csv(rows, 'Lead ID,First Name,Phone,State')))
    expect(warnings).toEqual({ no_place: 25 })
    expect(warning_lines).toEqual({ no_place: Array.from({ length: 20 }, (_, index) => 2 + 12 * index) })
  })
})

describe('the columns of a file', () => {
  it('the columns of a file are found without regard to case, spaces and underscores', async () => {
    const phone = newPhone()
    const upload = await ingested(csv([`c-1,Ann,${phone}`], 'LEAD_ID, first  name,phone'))
    expect(upload).toMatchObject({ status: 'done', created: 1 })
    expect(await leadWith('c-1')).toMatchObject({ phone_number: phone, metadata: { first_name: 'Ann' } })
  })

  it('a column of a file may have alternative names, of which the first with a value counts in each row', async () => {
    const [one, two, three] = [newPhone(), newPhone(), newPhone()]
    const rows = [`c-2,${one},`, `c-3,,${two}`, `c-4,${three},${one}`]
    expect(await ingested(csv(rows, 'ref,mobile,phone'), { source: 'several' })).toMatchObject({ status: 'done', created: 3 })
    expect(await leadWith('c-3')).toMatchObject({ phone_number: two })
    expect(await leadWith('c-4')).toMatchObject({ phone_number: three })
    expect(await ingested(csv([`c-2,${one}`], 'Lead ID,Phone'), { source: 'several' })).toMatchObject({ status: 'done', unchanged: 1 })
  })

  it('rejected rows are reported with the column names that the file has', async () => {
    const upload = await ingested(csv([`,${newPhone()}`, 'c-5,12', 'c-6,'], 'Ref,Phone'), { source: 'several' })
    expect(await reportLines(upload)).toEqual([
      'line,column,value,message',
      '2,Ref,,This field may not be blank.',
      expect.stringMatching(/^3,Phone,12,"The phone number entered is not valid\. /),
      '4,Phone,,"This field is required. No lead matches, and a new lead needs a phone number."',
    ])
  })

  it('a file needs no column for the phone number when its source updates leads that another column finds', async () => {
    const { id } = await created({ external_id: 'c-8' })
    const upload = await ingested(csv(['c-8,Ann', 'c-9,Bo'], 'Lead ID,First Name'))
    expect(upload).toMatchObject({ status: 'done', updated: 1, rejected: 1 })
    expect(await getLead(id)).toMatchObject({ metadata: { first_name: 'Ann' } })
    expect(await reportLines(upload)).toEqual([
      'line,column,value,message',
      '3,Phone,,"This field is required. No lead matches, and a new lead needs a phone number."',
    ])
  })

  it.each([
    ['demo', 'Phone,First Name', 'Lead ID'],
    ['by-phone', 'Lead ID,First Name', 'Phone'],
  ])('a file must include a column that finds leads when the source %s updates them', async (source, header, missing) => {
    expect(await ingested(csv([`${newPhone()},Ann`], header), { source })).toMatchObject({
      ...{ status: 'failed', rows: 0 },
      error: expect.stringMatching(
        new RegExp(`^The header has no column "${missing}", which the source "${source}" needs to find leads\\. The file has "`),
      ),
    })
  })

  it('columns that only describe the lead may have one name: the first is read, and the upload says so', async () => {
    const phone = newPhone()
    const rows = [`c-10,First,Second,${phone}`]
    const upload = await ingested(csv(rows, 'Lead ID,FIRST NAME,first_name,Phone'))
    expect(await answered(upload)).toMatchObject({
      ...{ status: 'done', created: 1 },
      error: expect.stringMatching(/^The header has "FIRST NAME" and "first_name", .* Only column 2, "FIRST NAME", is read\.$/),
    })
    expect(await leadWith('c-10')).toMatchObject({ phone_number: phone, metadata: { first_name: 'First' } })
  })

  it.each(['Phone', 'State', 'No Calls', 'Lead ID', 'Email', 'Zip', 'Consent'])(
    'columns that decide about calls may not have one name: %s',
    async (column) => {
      const others = ['Lead ID', 'Phone'].filter((name) => name !== column)
      const header = [...others, column.toUpperCase(), column.toLowerCase()].join(',')
      expect(await ingested(csv([], header), { source: 'decisive' })).toMatchObject({
        ...{ status: 'failed', rows: 0 },
        error: expect.stringMatching(/, which are one name to the service: case and spaces do not count\. Keep one of them, or name one/),
      })
    },
  )

  it('a file must include a column for the phone number when its source creates leads', async () => {
    expect(await ingested(csv(['c-7,Ann'], 'Lead ID,First Name'), { source: 'creates' })).toMatchObject({
      ...{ status: 'failed', rows: 0 },
      error: expect.stringMatching(/^The header has no column "Phone", which the source "creates" needs to create leads\./),
    })
  })
})
