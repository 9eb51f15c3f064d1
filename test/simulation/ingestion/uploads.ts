import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { putFile, type Shown, serviceAt } from '#lib/uploader/service.ts'
import type { Service } from '#test/support/service.ts'

const LOOK_MS = 200
/** Rows between two lines of progress. */
const STAGE = 25_000

/** Sends a file to a new upload URL. @returns the id of the upload */
export const sendFile = async ({ url, apiKey, uploadSource }: Service, file: string): Promise<string> => {
  const { size } = await stat(file)
  const { signed_url, upload_id } = await serviceAt({ url, key: apiKey }).createUpload(uploadSource, 'leads.csv')
  await putFile(signed_url, file, size, () => {})
  return upload_id
}

/** An upload as the service shows it. Undefined while the service is down. */
const lookAt = ({ url, apiKey }: Service, id: string): Promise<Shown | undefined> =>
  serviceAt({ url, key: apiKey })
    .getUpload(id)
    .catch(() => undefined)

/** Polls an upload until it is as wanted, done or failed. */
export const followUntil = async (
  service: () => Service,
  id: string,
  wanted: (upload: Shown) => boolean,
  signal?: AbortSignal,
): Promise<Shown> => {
  for (;;) {
    const upload = await lookAt(service(), id)
    if (upload && (upload.status === 'done' || upload.status === 'failed' || wanted(upload))) return upload
    await sleep(LOOK_MS, undefined, signal && { signal })
  }
}

interface Following {
  readonly print: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Polls an upload until it ends, and prints its progress. */
export const followUpload = async (service: () => Service, id: string, { print, signal }: Following): Promise<Shown> => {
  const began = performance.now()
  for (let goal = STAGE; ; goal += STAGE) {
    const upload = await followUntil(service, id, ({ rows }) => rows >= goal, signal)
    if (upload.status === 'done' || upload.status === 'failed') return upload
    print(`  ${upload.rows} rows after ${Math.round((performance.now() - began) / 1000)} s`)
  }
}
