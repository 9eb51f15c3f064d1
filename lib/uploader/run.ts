import { stat } from 'node:fs/promises'
import { reasonOf, UploadFailure } from './failure.ts'
import { type UploaderOptions, uploadName } from './options.ts'
import { Progress, processingLine, sendingLine, type Terminal } from './progress.ts'
import { putFile } from './put-file.ts'
import { report } from './report.ts'
import { type Shown, serviceAt } from './service.ts'

/** What an S3 bucket takes in one request. */
const MOST_BYTES = 5 * 1024 ** 3

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 2_000
/** Times in a row that the service may fail to say how it goes. */
const PATIENCE = 30

export interface Surroundings {
  /** For progress, and for what goes wrong. */
  readonly terminal: Terminal
  /** Of the result. */
  readonly print: (text: string) => void
  /** Milliseconds, from any beginning. */
  readonly clock: () => number
  readonly pause: (milliseconds: number) => Promise<unknown>
}

/** How large it is. @throws UploadFailure when it cannot be uploaded */
const sizeOf = async (file: string): Promise<number> => {
  const found = await stat(file).catch((error: unknown) => {
    throw new UploadFailure(`The file ${file} cannot be read: ${reasonOf(error)}.`)
  })
  if (!found.isFile()) throw new UploadFailure(`${file} is no file.`)
  if (found.size > MOST_BYTES) throw new UploadFailure(`${file} is larger than 5 GiB. Split it, with the header in each part.`)
  return found.size
}

/** Asks until it is over. Processing does not wait for who asks. */
const follow = async (ask: () => Promise<Shown>, show: (upload: Shown) => void, pause: Surroundings['pause']): Promise<Shown> => {
  let failures = 0
  let wait = FIRST_PAUSE_MS
  for (;;) {
    try {
      const upload = await ask()
      if (upload.status === 'done' || upload.status === 'failed') return upload
      show(upload)
      failures = 0
      await pause(wait)
      wait = Math.min(wait * 1.5, LONGEST_PAUSE_MS)
    } catch (error) {
      if (!(error instanceof UploadFailure) || error.retryAfter === undefined || ++failures > PATIENCE) throw error
      await pause(error.retryAfter)
    }
  }
}

const upload = async (
  { file, source, url, key, json }: UploaderOptions,
  { terminal, print, clock, pause }: Surroundings,
): Promise<number> => {
  const size = await sizeOf(file)
  const service = serviceAt({ url, key })
  const filename = uploadName(file)
  const { signed_url, upload_id } = await service.createUpload(source, filename)
  const progress = new Progress(json ? { isTTY: false, write: () => {} } : terminal, clock)
  const begun = clock()
  const sending = (sent: number) => sendingLine(sent, size, clock() - begun)
  await putFile(signed_url, file, size, (sent) => progress.show(sending(sent)))
  progress.end(sending(size))
  progress.end(`It is upload ${upload_id}, and is processed whether or not this command goes on.`)
  const result = await follow(
    () => service.getUpload(upload_id),
    (shown) => progress.show(processingLine(shown)),
    pause,
  )
  if (result.status === 'done') progress.end(processingLine(result))
  print(json ? `${JSON.stringify(result)}\n` : report(result))
  return result.status === 'done' ? 0 : 1
}

/** Uploads a file and tells what became of it. @returns the exit code: 0 when it was processed, otherwise 1 */
export const runUploader = async (options: UploaderOptions, surroundings: Surroundings): Promise<number> => {
  try {
    return await upload(options, surroundings)
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error
    surroundings.terminal.write(`\n${error.message}\n`)
    return 1
  }
}
