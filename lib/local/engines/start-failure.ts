/** Why the service cannot start, as one sentence that the user can act on. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

/** The code of a failed system call (`EADDRINUSE`, `ENOENT`, …); undefined for any other error. */
export const systemErrorCode = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
