/** Why the service cannot start on this machine, as one sentence that its user can act upon. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

/** The code of a failed system call (`EADDRINUSE`, `ENOENT`, …); undefined for any other error. */
export const systemErrorCode = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
