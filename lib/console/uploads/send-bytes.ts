import { SECOND } from '#shared/platform/values/durations.ts'
import { delayToNextAttempt, sleep } from '../../client/retry.ts'
import { texts } from '../texts.ts'

interface Put {
  readonly url: string
  readonly file: File
  /** Called with the percentage that is sent. */
  readonly onProgress: (percent: number) => void
  readonly signal: AbortSignal
}

interface Sending extends Put {
  /** Called with whether it waits to send the file again. */
  readonly onWait: (isWaiting: boolean) => void
}

/** @throws Error with a sentence when the file was moved or changed after it was chosen */
export const checkReadable = async (file: File): Promise<void> => {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw new Error(texts.uploads.unreadable)
  }
}

/** `fetch` would not tell how much is sent. @returns the status of the answer, or undefined when none came. @throws the signal's reason */
const put = ({ url, file, onProgress, signal }: Put): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 100 : Math.floor((100 * loaded) / total))
    request.onload = () => resolve(request.status)
    request.onerror = () => resolve(undefined)
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    // A part of a file has no type. So the browser names none, and the bucket needs to allow no header.
    request.send(file.slice(0, file.size))
  })

/** Milliseconds for which a signed URL is valid. */
const lifetimeOf = (url: string): number => Number(new URL(url).searchParams.get('X-Amz-Expires')) * SECOND

/** Sends a file until its URL is not valid any more. @throws the signal's reason, or Error with a sentence */
const sendUntilEnd = async (sending: Sending): Promise<void> => {
  const { url, file, onProgress, onWait, signal } = sending
  const end = performance.now() + lifetimeOf(url)
  const showProgress = (percent: number): void => {
    onWait(false)
    onProgress(percent)
  }
  for (let attempt = 0; ; attempt++) {
    const status = await put({ ...sending, onProgress: showProgress })
    if (status !== undefined && status < 300) return
    if (status !== undefined && status < 500) throw new Error(texts.uploads.refused(status))
    // Such a file fails like the network.
    await checkReadable(file)
    const delay = delayToNextAttempt({ attempt, failure: undefined, isRepeatable: true }) ?? 0
    if (performance.now() + delay > end) throw new Error(status === undefined ? texts.uploads.notSent : texts.uploads.refused(status))
    onWait(true)
    onProgress(0)
    await sleep(delay, signal)
  }
}

/**
 * Sends a file to its signed URL, again and again while the network or the bucket fails and the URL is valid. The service reads only the
 * first file that arrives, and remarks on the others. The policy of the page allows only the bucket that was known when the page was loaded,
 * and a request to another one fails like the network. @throws Error with a sentence
 */
export const sendBytes = async ({ signal, ...sending }: Sending): Promise<void> => {
  const control = new AbortController()
  const stop = () => control.abort(new Error(texts.uploads.stopped))
  const noteBlocked = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === 'connect-src' && sending.url.startsWith(blockedURI)) control.abort(new Error(texts.uploads.oldPage))
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  document.addEventListener('securitypolicyviolation', noteBlocked)
  try {
    await sendUntilEnd({ ...sending, signal: control.signal })
  } finally {
    signal.removeEventListener('abort', stop)
    document.removeEventListener('securitypolicyviolation', noteBlocked)
  }
}
