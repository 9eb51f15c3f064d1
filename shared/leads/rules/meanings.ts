import type { TASK_STATUSES } from '../bulk/task.ts'

/** Meanings for the API document and the references, one sentence each. No function imports them. */
export const TASK_STATUS_MEANINGS: Readonly<Record<(typeof TASK_STATUSES)[number], string>> = {
  queued: 'The update is accepted and not applied yet.',
  applied: 'The lead has the update, except for fields that changed again since.',
  failed: 'The update could not be applied, and `error` tells why.',
}
