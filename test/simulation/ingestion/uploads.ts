import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { putFile } from '#lib/uploader/put-file.ts'
import { type Shown, serviceAt } from '#lib/uploader/service.ts'
import type { Service } from '#test/support/service.ts'

const LOOK_MS = 200
/** Rows of which it is said that they are done. */
const STAGE = 25_000

/** Sends a file by a URL of its own. @returns the id of the upload */
export const sendFile = async ({ url, apiKey, uploadSource }: Service, file: string): Promise<string> => {
  const { size } = await stat(file)
  const { signed_url, upload_id } = await serviceAt({ url, key: apiKey }).createUpload(uploadSource, 'leads.csv')
  await putFile(signed_url, file, size, () => {})
  return upload_id
}

/** An upload as the service shows it; undefined while it does not answer. */
const lookAt = ({ url, apiKey }: Service, id: string): Promise<Shown | undefined> =>
  serviceAt({ url, key: apiKey })
    .getUpload(id)
    .catch(() => undefined)

/** Asks for an upload until it is as wanted, or over. */
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

/** As `followUntil`, to its end, which is long in coming for a long file: says how far it is. */
export const followUpload = async (service: () => Service, id: string, { print, signal }: Following): Promise<Shown> => {
  const began = performance.now()
  for (let goal = STAGE; ; goal += STAGE) {
    const upload = await followUntil(service, id, ({ rows }) => rows >= goal, signal)
    if (upload.status === 'done' || upload.status === 'failed') return upload
    print(`  ${upload.rows} rows after ${Math.round((performance.now() - began) / 1000)} s`)
  }
}
