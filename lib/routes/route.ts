import type { Need } from '../stacks/needs.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As clients write it, with its slash at the end; it is served without that as well. */
  readonly path: `/api/${string}/`
  /** Folder under `functions/`. Several routes may name the same one. */
  readonly function: string
  /** Who may ask: a client with its API key, a voice agent with its signature, whom an ingestion URL lets, or anybody. */
  readonly auth: 'token' | 'agent' | 'ingestion' | 'none'
  /** What the function uses; it is granted and told nothing else. */
  readonly needs: readonly Need[]
  /** How long it may take, at most 29: the gateway waits no longer. Default: 10. */
  readonly timeoutSeconds?: number
  /** Default: 512. */
  readonly memoryMb?: number
  /** Whether no flood of other requests may take its runs. Default: false. */
  readonly isReserved?: boolean
  readonly summary: string
  /** What breaks for whom while the function fails. */
  readonly impact: string
}
