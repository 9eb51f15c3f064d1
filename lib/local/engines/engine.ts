export const LOOPBACK = '127.0.0.1'
export const REGION = 'us-east-1'

/** Credentials that every local engine accepts. */
export const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const

export interface Engine {
  readonly url: string
  stop(): Promise<void>
}

/** Why the service cannot start, as one sentence that the user can act on. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

/** The code of a failed system call (`EADDRINUSE`, `ENOENT`, …); undefined for any other error. */
export const systemErrorCode = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
