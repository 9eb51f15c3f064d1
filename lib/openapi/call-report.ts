import * as v from 'valibot'
import { REPORTED_OUTCOMES } from '#shared/calling/call.ts'
import { SMS_DIRECTIONS } from '#shared/events/sms.ts'
import { dateTimeField } from '#shared/http/fields/date-time.ts'
import { CHANNELS } from '#shared/stops/compliance.ts'

const FreeKeys = v.pipe(v.unknown(), v.metadata({ type: 'object' }))

const Completion = v.object({
  outcome: v.picklist(REPORTED_OUTCOMES),
  summary: v.nullish(v.pipe(v.string(), v.description('Its first 4,000 characters are kept.'))),
  is_contact: v.nullish(v.pipe(v.boolean(), v.description('Whether a person was spoken to.'))),
  message_left: v.nullish(v.pipe(v.boolean(), v.description('Whether a message was left. Only for the outcome `voicemail`.'))),
  collected: v.nullish(FreeKeys),
  callback_time: v.nullish(dateTimeField()),
  appointment: v.nullish(FreeKeys),
})

const report = <T extends string, S extends v.GenericSchema>(type: T, data: S, ...examples: readonly object[]) =>
  v.pipe(
    v.object({
      type: v.literal(type),
      call_id: v.pipe(v.string(), v.description('The same call as in the path.')),
      time: dateTimeField(),
      provider_call_id: v.nullish(v.string()),
      event_id: v.nullish(v.pipe(v.string(), v.description('A repeated report has the same id.'))),
      data,
    }),
    v.metadata({
      examples: examples.map((fields) => ({
        type,
        call_id: '51-1',
        time: '2030-01-15T16:00:00Z',
        provider_call_id: 'p-17',
        event_id: 'e-1',
        ...fields,
      })),
    }),
  )

/** The reports that agents are asked to send. The function's own schema accepts more. */
export const DocumentedCallReport = v.variant('type', [
  report('call.answered', v.optional(FreeKeys), {}),
  report('call.data_collected', v.object({ collected: FreeKeys }), { data: { collected: { budget: 250_000 } } }),
  report('call.transfer_initiated', v.nullish(v.object({ mode: v.nullish(v.string()), destination: v.nullish(v.string()) })), {
    data: { mode: 'warm', destination: '+12125550199' },
  }),
  report('call.transfer_connected', v.optional(FreeKeys), {}),
  report('call.transfer_ended', v.nullish(v.object({ reason: v.nullish(v.string()) })), { data: { reason: 'no_answer' } }),
  report(
    'call.ended',
    v.nullish(
      v.object({
        duration_seconds: v.nullish(v.pipe(v.number(), v.minValue(0))),
        presumed_outcome: v.nullish(
          v.pipe(
            v.picklist(REPORTED_OUTCOMES),
            v.description(
              'The outcome that counts if no `call.completed` follows within 30 minutes (10 if nobody had answered). A stop in it counts at once.',
            ),
          ),
        ),
      }),
    ),
    { data: { duration_seconds: 93.5, presumed_outcome: 'hung_up' } },
  ),
  report(
    'call.completed',
    Completion,
    {
      data: {
        outcome: 'callback_requested',
        summary: 'Asked to be called tomorrow.',
        is_contact: true,
        callback_time: '2030-01-16T15:00:00Z',
      },
    },
    { data: { outcome: 'voicemail', message_left: true } },
    { data: { outcome: 'appointment_booked', collected: { budget: 250_000 }, appointment: { start_time: '2030-01-17T15:00:00Z' } } },
  ),
  report(
    'sms.completed',
    v.nullish(
      v.object({
        direction: v.pipe(
          v.nullish(v.picklist(SMS_DIRECTIONS)),
          v.description('`inbound`: the person wrote it. The service looks for a stop in every text that is not `outbound`.'),
        ),
        body: v.pipe(v.nullish(v.string()), v.description('Its first 1,530 characters are kept.')),
        status: v.nullish(v.string()),
      }),
    ),
    { data: { direction: 'inbound', body: 'Please call me tomorrow.', status: 'received' } },
  ),
  report(
    'dnc.requested',
    v.object({
      channel: v.pipe(v.nullish(v.picklist(CHANNELS)), v.description('Without a known channel, calls and texts are stopped.')),
      words: v.pipe(
        v.nullish(v.string()),
        v.description("The person's exact words. Their first 1,530 characters are kept with the record of the stop."),
      ),
    }),
    { data: { channel: 'call', words: 'Please take me off your list.' } },
  ),
])
