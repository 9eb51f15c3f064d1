import { CACHE_SECONDS } from '#shared/accounts/user-store.ts'
import * as inboundCalls from '#shared/calling/inbound-call.ts'
import * as erasedCalls from '#shared/erasure/erased-call-store.ts'
import * as tasks from '#shared/leads/bulk/task-store.ts'
import * as idempotency from '#shared/platform/ids/idempotency.ts'
import { DAY, SECOND } from '#shared/platform/values/durations.ts'
import { MOST_MASKED } from '#shared/platform/values/masked.ts'
import * as uploads from '#shared/uploads/upload-store.ts'
import { DAYS } from '#shared/webhooks/delivery-log.ts'
import { MOST_PER_FUNCTION, MOST_SANDBOXES } from '../../local/sandbox-limits.ts'
import { MOST_CONFIGURATION_BYTES } from '../../ops/configuration/declared.ts'
import { bytes, characters, count, time } from '../quantities.ts'
import type { Limits } from './limit.ts'

export const keptLimits: Limits = {
  heading: 'What is kept, and how long',
  limits: [
    ['Leads, calls, text messages', 'until they are erased', ''],
    [
      'Ids of calls that were erased, their agents, and phones as hashes',
      time(erasedCalls.ERASED_CALL_KEPT),
      'a stop that is reported for one is not recorded',
    ],
    ['Do-not-contact entries, litigators', 'for good, as hashes of phone numbers', ''],
    ['Deliveries of webhooks, with their payloads', time(DAYS * DAY), 'they are gone from the log'],
    ['Uploads, their files and reports', time(uploads.UPLOAD_KEPT), '404'],
    ['Tasks of bulk updates, after they were done', time(tasks.TASK_KEPT), '404'],
    ['Answers under an `Idempotency-Key`', time(idempotency.ANSWER_KEPT), 'the request is a new one'],
    ['Ids that agents give inbound calls', time(inboundCalls.INBOUND_CALL_KEPT), 'a repeat counts as another call'],
    ['What functions remember of users, keys and other settings', time(CACHE_SECONDS * SECOND), 'what was changed holds everywhere'],
    ["A user, a lead type, a source or an ingestion URL in an operator's file", bytes(MOST_CONFIGURATION_BYTES), 'refused, with its line'],
    ['Logs', 'see `logRetentionDays`', ''],
    ['A text in a log', characters(MOST_MASKED), 'its end is left out'],
  ],
}

export const localLimits: Limits = {
  heading: 'The local service',
  limits: [
    ['Who reaches it', 'this machine', 'it listens on loopback alone'],
    ['Functions that run at one moment', count(MOST_SANDBOXES), 'others wait'],
    ['The same, of one function', count(MOST_PER_FUNCTION), 'others wait'],
    ['DynamoDB engine', 'Linux x64', '`dynoxide` on the PATH, or another engine in `DYNAMODB_ENDPOINT`'],
  ],
}
