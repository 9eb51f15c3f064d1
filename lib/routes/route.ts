import type { ApiOperation } from '../openapi/operation.ts'
import type { Need } from '../stacks/needs.ts'

/** Seconds. The gateway waits no longer for an answer, so no function of the API runs longer. */
export const LONGEST_REQUEST = 29

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As clients write it, with a trailing slash. It is also served without the slash. */
  readonly path: `/api/${string}/` | `/console/${string}`
  /** File under `functions/`, without the ending. Several routes may name the same one. */
  readonly function: string
  /**
   * Who may ask: a client with its API key, a voice agent with its signature, a voice platform with its own, the assistant of a voice
   * platform with that or a token, a provider that an ingestion URL admits, or anybody.
   */
  readonly auth: 'token' | 'agent' | 'platform' | 'assistant' | 'ingestion' | 'none'
  /** Things that the function uses. It gets access to nothing else. */
  readonly needs: readonly Need[]
  /** At most LONGEST_REQUEST. Default: 10. */
  readonly timeoutSeconds?: number
  /** Default: 512. */
  readonly memoryMb?: number
  /** Whether runs are reserved, so that a flood of other requests cannot take them. Default: false. */
  readonly isReserved?: boolean
  readonly summary: string
  /** Says what breaks for whom while the function fails. */
  readonly impact: string
  /** The rest of its description in the API document. */
  readonly api: ApiOperation
}

/** To read and write the table. */
const TABLE_ACCESS = ['table:get', 'table:batch-get', 'table:query', 'table:put', 'table:update', 'table:delete'] as const
const CALLS = ['calls:send', 'phone-hash', 'calling-policy'] as const

/** To apply reports about calls to calls and leads. */
export const TAKES_REPORTS = [
  ...TABLE_ACCESS,
  'index:by-due',
  'calls:send',
  'calling-policy',
  'revocation',
] as const satisfies readonly Need[]

/** To change a lead and all that depends on it, including its next call. */
export const UPDATES_LEADS = [...TABLE_ACCESS, ...CALLS] as const satisfies readonly Need[]

/** To create leads as well. */
export const WRITES_LEADS = [...TABLE_ACCESS, 'index:by-owner', ...CALLS] as const satisfies readonly Need[]
