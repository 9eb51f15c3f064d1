import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { queueJson } from '../platform/queues/queues.ts'
import { EVENT_SOURCE, type LeadEvent } from './event.ts'

const client = new EventBridgeClient({})

/** PutEvents takes ten entries and 256 KiB per request. An event of a lead with the most metadata fills half of that. */
const BATCH = 10
const MAX_BYTES = 250_000

const bytes = (text: string): number => Buffer.byteLength(text)

/** `group` shares the event queue fairly among owners. The rule reads it here as a string. */
const textOf = (event: LeadEvent): string => queueJson({ ...event, published_time: now(), group: `${event.owner}` })

/** Whether an event is small enough for the bus. */
export const fitsBus = (event: LeadEvent): boolean => bytes(textOf(event)) <= MAX_BYTES

const batches = (details: readonly { trigger: string; text: string }[]) => {
  const result: { trigger: string; text: string }[][] = []
  let size = 0
  for (const detail of details) {
    const last = result.at(-1)
    if (last && last.length < BATCH && size + bytes(detail.text) <= MAX_BYTES) {
      last.push(detail)
      size += bytes(detail.text)
    } else {
      result.push([detail])
      size = bytes(detail.text)
    }
  }
  return result
}

/** @throws Error when the bus refused any event. The caller retries all of them, which is safe because ids are stable. */
export const publish = async (events: readonly LeadEvent[]): Promise<void> => {
  for (const batch of batches(events.map((event) => ({ trigger: event.trigger, text: textOf(event) })))) {
    const Entries = batch.map(({ trigger, text }) => ({
      EventBusName: setting('EVENT_BUS_NAME'),
      Source: EVENT_SOURCE,
      DetailType: trigger,
      Detail: text,
    }))
    const { FailedEntryCount, Entries: answers } = await client.send(new PutEventsCommand({ Entries }))
    if (FailedEntryCount) {
      const failure = answers?.find((answer) => answer.ErrorCode !== undefined)
      throw new Error(
        `The bus did not accept ${FailedEntryCount} of ${batch.length} events: ${failure?.ErrorMessage ?? failure?.ErrorCode}`,
      )
    }
  }
}
