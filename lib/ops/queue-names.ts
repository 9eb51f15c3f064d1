/** The queues by the names that operators use, and by the variables that tell them. */
export const QUEUE_VARIABLES = {
  calls: 'CALL',
  deliveries: 'DELIVERY',
  'slow-deliveries': 'SLOW_DELIVERY',
  updates: 'UPDATE',
  ingestion: 'INGESTION',
  events: 'EVENT',
} as const

/** Dead letters of the table's stream: no queue is before them. */
export const GIVEN_UP = 'given-up'
