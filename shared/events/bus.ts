import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { setting } from '../platform/environment.ts'
import { queueJson } from '../platform/queues/queue-json.ts'
import { EVENT_SOURCE, type LeadEvent } from './event.ts'

const client = new EventBridgeClient({})

/** PutEvents takes ten entries and 256 KiB at once; an event of a lead with the most metadata fills half of that. */
const BATCH = 10
const MAX_BYTES = 250_000

const bytes = (text: string): number => Buffer.byteLength(text)

/** `group` shares the queue of events fairly among customers: the rule finds it there, and a group's name is a text. */
const textOf = (event: LeadEvent): string => queueJson({ ...event, group: `${event.owner}` })

/** Whether the bus takes an event at all. */
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

/** @throws Error when any event was not taken: the caller tries all of them again, their ids being stable. */
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
      throw new Error(`The bus did not take ${FailedEntryCount} of ${batch.length} events: ${failure?.ErrorMessage ?? failure?.ErrorCode}`)
    }
  }
}
