/** Concurrent runs of the functions that consume queues, where no setting of the deployment decides. */
export const WORKER_CONCURRENCY = {
  /** Ten events per invocation. The rest of the account's concurrency stays for calls and the API. */
  matchWebhooks: 20,
  /** A large bulk takes a little longer, and leaves room for everybody else's requests. */
  applyUpdates: 10,
  /** Amazon Connect accepts few requests a second. */
  contactEvents: 5,
} as const

/** Webhooks in one run. A run lasts as long as its slowest attempt: all its attempts run concurrently. */
export const DELIVERIES_A_RUN = 10

/** Messages in one run that places calls. A run that waits for slow agents takes further ones. */
export const CALLS_A_RUN = 10
