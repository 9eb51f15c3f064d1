/** Queue names for operators, with the prefix of the environment variables that hold each queue's URLs. */
export const QUEUE_VARIABLES = {
  calls: 'CALL',
  deliveries: 'DELIVERY',
  'slow-deliveries': 'SLOW_DELIVERY',
  updates: 'UPDATE',
  ingestion: 'INGESTION',
  events: 'EVENT',
} as const

/** Dead letters of the table's stream. They have no source queue. */
export const GIVEN_UP = 'given-up'
