import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as upload } from '#functions/ingestion/upload.ts'
import { put } from '#shared/platform/bucket/bucket.ts'
import { fileKeyOf } from '#shared/uploads/upload.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { created, newPhone } from '#test/support/lead-requests.ts'
import { actingFor, STAFF, saveStaff } from '#test/support/staff.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { csv, eventOf, uploadNow, work } from '#test/support/uploads.ts'
import { KEY, OWNER, request } from '#test/support/world.ts'

uploadWorld({ name: 'by-id' })
const log = captureLog()
beforeAll(saveStaff)

/** Sends a file with another phone number of a stopped lead. @returns the records of lifted stops */
const liftedBy = async (headers: Readonly<Record<string, string>>) => {
  const external_id = `stopped-${newPhone()}`
  const lead = await created({ external_id, call_dnc: true })
  const body = { source: 'by-id', filename: 'leads.csv' }
  const { body: asked } = await request(upload, { method: 'POST', path: '/api/ingestion/upload/', headers, body })
  const text = csv([`${external_id},A,${newPhone()},,NY,`])
  const key = fileKeyOf(await uploadNow(asked.upload_id))
  await put(key, text, 'text/csv')
  await work([eventOf(key, text.length)])
  return log
    .map((line) => JSON.parse(line))
    .filter((line) => line.message === 'A lead may be contacted again.')
    .map((line) => ({ ...line, isOurs: line.lead === lead.id }))
}

describe('a file that a staff member sends for a user', () => {
  it('the record of a stop that a file lifts names the staff member who sent it', async () => {
    expect(await liftedBy(actingFor(OWNER))).toMatchObject([{ isOurs: true, user: OWNER, staff: STAFF }])
  })

  it('the record of a stop that a file of the user lifts names no staff member', async () => {
    const [record] = await liftedBy({ Authorization: `Token ${KEY}` })
    expect(record).toMatchObject({ isOurs: true, user: OWNER })
    expect(record).not.toHaveProperty('staff')
  })
})
