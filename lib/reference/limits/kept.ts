import * as inboundCalls from '#shared/calling/inbound-call.ts'
import * as erasedCalls from '#shared/erasure/erased-call-store.ts'
import * as tasks from '#shared/leads/bulk/task-store.ts'
import * as idempotency from '#shared/platform/ids/idempotency.ts'
import { CACHED_FOR } from '#shared/platform/table/cached.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { MOST_MASKED } from '#shared/platform/values/masked.ts'
import * as uploads from '#shared/uploads/upload-store.ts'
import { DAYS } from '#shared/webhooks/delivery-log.ts'
import { MOST_PER_FUNCTION, MOST_SANDBOXES } from '../../local/sandbox-limits.ts'
import { MOST_CONFIGURATION_BYTES } from '../../ops/configuration/declared.ts'
import { bytes, characters, count, time } from '../costs/quantities.ts'
import type { Limits } from './limit.ts'

export const keptLimits: Limits = {
  heading: 'How long data is kept',
  limits: [
    ['Leads, calls, text messages', 'until they are erased', ''],
    [
      'Ids and agents of erased calls, and their phone numbers as hashes',
      time(erasedCalls.ERASED_CALL_KEPT),
      'a stop that is reported for such a call is not recorded',
    ],
    ['Do-not-contact entries, litigators', 'permanently, as hashes of phone numbers', ''],
    ['Do-not-call registries', 'until the next import of the list, as hashes of phone numbers', ''],
    [
      'Answers of the reassigned numbers database',
      'until a later or stricter answer about the same day, under a hash of the phone number',
      '',
    ],
    ['Imports of do-not-call registries: list, day and time', 'permanently', ''],
    ['Records of the operator in the bucket', 'five years', 'the bucket deletes the files'],
    ['Statistics', 'permanently, without data of persons', ''],
    ['Deliveries of webhooks, with their payloads', time(DAYS * DAY), 'the log no longer has them'],
    ['Uploads, their files and reports', time(uploads.UPLOAD_KEPT), '404'],
    ['Tasks of bulk updates, after they are done', time(tasks.TASK_KEPT), '404'],
    ['Answers for an `Idempotency-Key`', time(idempotency.ANSWER_KEPT), 'the request counts as new'],
    ['Ids that agents give to inbound calls', time(inboundCalls.INBOUND_CALL_KEPT), 'a repeat counts as another call'],
    ['Users, keys and other settings in the cache of a function', time(CACHED_FOR), 'changes apply everywhere'],
    [
      "A user, a lead type, a source or an ingestion URL in an operator's file",
      bytes(MOST_CONFIGURATION_BYTES),
      '`apply` refuses it, and names its line',
    ],
    ['Logs', 'see `logRetentionDays`', ''],
    ['A text in a log', characters(MOST_MASKED), 'its end is left out'],
  ],
}

export const localLimits: Limits = {
  heading: 'The local service',
  limits: [
    ['Access', 'this machine', 'the service listens on loopback only'],
    ['Functions that run at the same time', count(MOST_SANDBOXES), 'others wait'],
    ['Runs of one function at the same time', count(MOST_PER_FUNCTION), 'others wait'],
    ['DynamoDB engine', 'Linux and macOS', '`dynoxide` on the PATH, or another engine in `DYNAMODB_ENDPOINT`'],
  ],
}
