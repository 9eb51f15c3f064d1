import type { Reply } from './reply.ts'

/** Adds sentences about parts of the request that had no effect. They must be ASCII, because they are sent in a header. */
export const withWarnings = (reply: Reply, warnings: readonly string[]): Reply =>
  warnings.length === 0 ? reply : { ...reply, headers: { ...reply.headers, 'X-Warnings': warnings.join(' ') } }
