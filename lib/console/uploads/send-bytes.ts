import { texts } from '../texts.ts'

interface Sending {
  readonly url: string
  readonly file: File
  /** Called with the percentage that is sent. */
  readonly onProgress: (percent: number) => void
  readonly signal: AbortSignal
}

/** @throws Error with a sentence when the file was moved or changed after it was chosen */
export const checkReadable = async (file: File): Promise<void> => {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw new Error(texts.uploads.unreadable)
  }
}

/** Sends a file to its signed URL. `fetch` would not tell how much is sent. @throws Error with a sentence */
export const sendBytes = ({ url, file, onProgress, signal }: Sending): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error(texts.uploads.stopped))
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 100 : Math.floor((100 * loaded) / total))
    request.onload = () => (request.status < 300 ? resolve() : reject(new Error(texts.uploads.refused(request.status))))
    request.onerror = () => reject(new Error(texts.uploads.notSent))
    request.onabort = () => reject(new Error(texts.uploads.stopped))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    // A part of a file has no type. So the browser names none, and the bucket needs to allow no header.
    request.send(file.slice(0, file.size))
  })
