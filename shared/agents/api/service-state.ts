import * as v from 'valibot'
import { Count, DateTime } from '../../http/responses/values.ts'
import { formatInstant } from '../../platform/values/time.ts'
import type { Instant } from '../../platform/values/values.ts'

/** The state of the whole service, for staff. */
export const ServiceStateResponse = v.strictObject({
  queues: v.pipe(
    v.array(
      v.strictObject({
        queue: v.string(),
        waiting: Count,
        in_flight: v.pipe(Count, v.description('Being handled, or hidden after a failed try.')),
        delayed: v.pipe(Count, v.description('For a later time.')),
        dead_letters: v.pipe(Count, v.description('Messages that failed too often. They wait until the operator sends them again.')),
      }),
    ),
    v.description('Approximate numbers of messages.'),
  ),
  agents_down: v.pipe(
    v.array(v.strictObject({ agent: v.string(), since: DateTime, until: DateTime, reason: v.string() })),
    v.description('Voice agents that get no calls until the next try.'),
  ),
})

interface ServiceState {
  readonly queues: v.InferOutput<typeof ServiceStateResponse>['queues']
  readonly agents: readonly {
    readonly agent: string
    readonly opened_time: Instant
    readonly open_until: Instant
    readonly reason: string
  }[]
}

export const representServiceState = ({ queues, agents }: ServiceState): v.InferOutput<typeof ServiceStateResponse> => ({
  queues,
  agents_down: agents.map(({ agent, opened_time, open_until, reason }) => ({
    ...{ agent, since: formatInstant(opened_time), until: formatInstant(open_until), reason },
  })),
})
