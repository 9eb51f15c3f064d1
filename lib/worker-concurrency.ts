/** Concurrent runs of the functions that consume queues, where no setting of the deployment decides. */
export const WORKER_CONCURRENCY = {
  /** Ten events per invocation. The rest of the account's concurrency stays for calls and the API. */
  matchWebhooks: 20,
  /** A large bulk takes a little longer, and leaves room for everybody else's requests. */
  applyUpdates: 10,
  /** Number of files, or lanes of large files. For each, many rows are written concurrently. */
  ingestCsv: 10,
  /** Amazon Connect accepts few requests a second. */
  contactEvents: 5,
} as const

/** Webhooks in one run. A run lasts as long as its slowest attempt: all its attempts run concurrently. */
export const DELIVERIES_A_RUN = 10
