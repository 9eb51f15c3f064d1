import { randomUUID } from 'node:crypto'
import { demoSource } from '#lib/local/demo-ingestion.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { COLUMNS, END, rowText } from '../ingestion/csv-text.ts'
import { personOf } from './people.ts'

const FIRST_PHONE = 2_000_000

const rowOf = (number: number): string => {
  const { first_name, last_name, phone_number, email, us_state, lead_source } = personOf(FIRST_PHONE, number)
  return rowText([`L-${number}`, first_name, last_name, phone_number, email, us_state, '96813', lead_source, '']) + END
}

/** A file of so many new leads. */
export const fileOf = (rows: number): Buffer =>
  Buffer.from([COLUMNS.join(',') + END, ...Array.from({ length: rows }, (_, number) => rowOf(number))].join(''))

/** Asks for the URL of an upload. @returns the file's key, and a function that reads the upload */
export const askForUrl = async (owner: number, at: number) => {
  const [{ saveSource }, { getWhole, insertUpload }] = await Promise.all([
    import('#shared/ingestion/source-store.ts'),
    import('#shared/uploads/upload-store.ts'),
  ])
  const id = randomUUID()
  const key = `uploads/${owner}/demo/${id}/leads.csv`
  await saveSource(demoSource({ userId: owner, leadTypeId: 4 }))
  const upload = { upload_id: id, owner, source: 'demo', filename: 'leads.csv', dry_run: false, object_key: key }
  await insertUpload({ ...upload, created_time: at }, at + HOUR)
  return { key, upload: async () => (await getWhole(id, Date.now()))?.upload }
}
