import { open, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { whyForeign } from '#shared/uploads/rules/csv/unfit.ts'
import { reasonOf, UploadFailure, UploadMistake } from './failure.ts'
import { type Following, followCommand, type Sending, type UploaderOptions, uploadName } from './options.ts'
import { processingLine, report, sendingLine, type Terminal, UploadProgress } from './progress.ts'
import { printedRows, saved } from './report-rows.ts'
import { putFile, reportAt, type Shown, serviceAt } from './service.ts'

/** Most bytes that an S3 bucket accepts in one request. */
const MOST_BYTES = 5 * 1024 ** 3

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 2_000
/** Consecutive requests for the status that may fail. */
const PATIENCE = 30

export interface UploadEnvironment {
  /** For progress and errors. */
  readonly terminal: Terminal
  /** Prints the result. */
  readonly print: (text: string) => void
  /** Milliseconds since any fixed time. */
  readonly clock: () => number
  readonly pause: (milliseconds: number) => Promise<unknown>
  /** Called once. When the command is stopped, for example by Ctrl-C, the function gives a sentence about what goes on without it. */
  readonly whenStopped: (sentence: () => string) => void
}

/** Size of a file in bytes. @throws UploadFailure when it cannot be uploaded */
const sizeOf = async (file: string): Promise<number> => {
  const found = await stat(file).catch((error: unknown) => {
    throw new UploadFailure(`The file ${file} cannot be read: ${reasonOf(error)}.`)
  })
  if (!found.isFile()) throw new UploadFailure(`${file} is not a file.`)
  if (found.size > MOST_BYTES) throw new UploadFailure(`${file} is larger than 5 GiB. Split it, with the header in each part.`)
  return found.size
}

/** Bytes at the beginning of a file, which show its type. */
const FIRST_BYTES = 16

/** Refuses a file with the service's own check, before anything is sent. @throws UploadFailure when the service would not read it */
const checkIsText = async (file: string, filename: string): Promise<void> => {
  const opened = await open(file).catch((error: unknown) => {
    throw new UploadFailure(`The file ${file} cannot be read: ${reasonOf(error)}.`)
  })
  try {
    const { buffer, bytesRead } = await opened.read({ buffer: new Uint8Array(FIRST_BYTES) })
    const foreign = whyForeign(buffer.subarray(0, bytesRead), filename)
    if (foreign !== undefined) throw new UploadFailure(`${foreign} Nothing was sent.`)
  } finally {
    await opened.close()
  }
}

/** @throws UploadFailure when the file exists, or its folder does not */
const checkIsNew = async (file: string): Promise<void> => {
  const found = await stat(file).catch(() => undefined)
  if (found) throw new UploadFailure(`${file} exists already. Name a new file for the report. Nothing was sent.`)
  const folder = dirname(resolve(file))
  const parent = await stat(folder).catch(() => undefined)
  if (!parent?.isDirectory()) throw new UploadFailure(`There is no folder ${folder} for the report. Nothing was sent.`)
}

/** Downloads the report where it is needed. @returns lines about its rows, if they are printed */
const readReport = async (
  url: string,
  { reportTo, isPrinted }: { readonly reportTo: string | undefined; readonly isPrinted: boolean },
): Promise<string[]> => {
  if (reportTo === undefined && !isPrinted) return []
  const chunks = reportTo === undefined ? reportAt(url) : saved(reportTo, reportAt(url))
  if (isPrinted) return printedRows(chunks)
  for await (const _ of chunks);
  return []
}

/** Polls until processing has ended. Processing does not depend on it. */
const follow = async (ask: () => Promise<Shown>, show: (upload: Shown) => void, pause: UploadEnvironment['pause']): Promise<Shown> => {
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

interface UploadRun {
  readonly service: ReturnType<typeof serviceAt>
  readonly progress: UploadProgress
  readonly json: boolean
  readonly environment: UploadEnvironment
  /** Address of the service. */
  readonly url: string
  /** The file to save the report to. */
  readonly reportTo: string | undefined
  /** Sets the sentence that is printed when the command is stopped. */
  readonly atStop: (sentence: string) => void
  /** Called with the upload's id, as soon as it is known. */
  readonly identify: (id: string) => void
}

const NOT_ARRIVED = 'The file has not arrived yet, or the service has not noticed it yet.'

/** Waits for an upload and prints its result. @param isSent whether its file is known to have been sent */
const finish = async (id: string, isSent: boolean, { service, progress, json, environment, reportTo }: UploadRun): Promise<number> => {
  const { print, pause, terminal } = environment
  const line = (shown: Shown): string => (shown.status === 'waiting' && !isSent ? NOT_ARRIVED : processingLine(shown))
  const result = await follow(
    () => service.getUpload(id),
    (shown) => progress.show(line(shown)),
    pause,
  )
  if (result.status === 'done') progress.end(processingLine(result))
  const csv = result.report_url ?? result.rejected_url
  if (reportTo !== undefined && csv === null) terminal.write(`There is nothing to save to ${reportTo}.\n`)
  const rows = csv === null ? [] : await readReport(csv, { reportTo, isPrinted: !json && result.dry_run === true })
  print(json ? `${JSON.stringify(result)}\n` : report(result, { rows, savedTo: reportTo }))
  return result.status === 'done' ? 0 : 1
}

/** Refuses a command without a source, and tells which sources there are. @throws UploadMistake */
const refuseWithoutSource = async ({ listSources }: UploadRun['service']): Promise<never> => {
  const sources = await listSources().catch((error: unknown) => {
    if (error instanceof UploadFailure) return error.message
    throw error
  })
  throw new UploadMistake(`Name the source of the file with --source. ${sources}`)
}

const upload = async ({ file, source, dryRun }: Sending, uploadRun: UploadRun): Promise<number> => {
  const { service, progress, environment, url, identify, atStop } = uploadRun
  if (source === undefined) return refuseWithoutSource(service)
  const { clock } = environment
  const size = await sizeOf(file)
  const filename = uploadName(file)
  await checkIsText(file, filename)
  if (filename !== basename(file))
    progress.end(`The service knows the file as "${filename}": names have only letters, digits, spaces, ".", "_" and "-".`)
  atStop('Nothing was sent.')
  const { signed_url, upload_id } = await service.createUpload(source, filename, dryRun)
  identify(upload_id)
  progress.end(`This is upload ${upload_id}${dryRun ? ', a dry run' : ''}.`)
  atStop('The file was not sent to its end, so nothing is processed. Send it again.')
  const begun = clock()
  const sending = (sent: number) => sendingLine(sent, size, clock() - begun)
  await putFile(signed_url, file, size, (sent) => progress.show(sending(sent)))
  progress.end(sending(size))
  progress.end('The service processes it even if you stop this command. To follow it again:')
  progress.end(`  ${followCommand(upload_id, url)}`)
  atStop(`The service goes on. To follow it again:\n  ${followCommand(upload_id, url)}`)
  return finish(upload_id, true, uploadRun)
}

const followOn = ({ follow: id }: Following, uploadRun: UploadRun): Promise<number> => {
  uploadRun.identify(id)
  uploadRun.atStop('The upload is not affected.')
  return finish(id, false, uploadRun)
}

/**
 * Uploads a file, or follows an earlier upload, and prints the result. @returns the exit code: 0 when the file was processed, 2 for a
 * mistake in the command, otherwise 1
 */
export const runUploader = async (options: UploaderOptions, environment: UploadEnvironment): Promise<number> => {
  const { url, key, json, report: reportTo, correction } = options
  const { terminal, print, clock, whenStopped } = environment
  const progress = new UploadProgress(json ? { isTTY: false, write: () => {} } : terminal, clock)
  let known: { readonly upload_id?: string } = {}
  const identify = (upload_id: string): void => {
    known = { upload_id }
  }
  let sentence = 'Nothing was sent.'
  whenStopped(() => sentence)
  const atStop = (next: string): void => {
    sentence = next
  }
  const uploadRun = { service: serviceAt({ url, key }), progress, json, environment, url, reportTo, atStop, identify }
  if (correction !== undefined) terminal.write(`${correction}\n`)
  try {
    if (reportTo !== undefined) await checkIsNew(reportTo)
    return await ('follow' in options ? followOn(options, uploadRun) : upload(options, uploadRun))
  } catch (error) {
    if (!(error instanceof UploadFailure)) throw error
    terminal.write(`${progress.isInLine ? '\n' : ''}${error.message}\n`)
    if (json) print(`${JSON.stringify({ error: error.message, ...known })}\n`)
    return error instanceof UploadMistake ? 2 : 1
  }
}
