import { randomUUID } from 'node:crypto'
import { demoSource } from '#lib/local/demo-ingestion.ts'
import { HOUR } from '#shared/platform/values/durations.ts'

/** Writes an upload and its source, as if an owner had asked for a URL. @returns the file's key, and a function that reads the upload */
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
  const read = async () => {
    const whole = await getWhole(id, Date.now())
    if (!whole) throw new Error('The upload is gone.')
    return whole.upload
  }
  return { key, upload: read }
}
