import * as v from 'valibot'
import { representCall } from '#shared/calling/api/call.ts'
import { representConsent } from '#shared/consents/api/consent-response.ts'
import { ConsentRecord } from '#shared/consents/consent.ts'
import { smsFromItem } from '#shared/events/sms-store.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import { leadFromItem } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { type ItemType, parsePhoneGroup } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { formatInstant } from '#shared/platform/values/time.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { PhoneAnswers } from '#shared/reassigned/answer.ts'
import { HIDDEN_ORIGIN } from '#shared/stops/api/dnc.ts'
import { litigatorHistory } from '#shared/stops/litigator-store.ts'
import { getPhone } from '#shared/stops/phone-store.ts'
import { stopHistory } from '#shared/stops/stop-history.ts'
import { representDelivery } from '#shared/webhooks/api/delivery.ts'
import { Delivery } from '#shared/webhooks/webhook.ts'
import type { Output } from '../output.ts'
import { recordFilesNaming } from '../records/naming-files.ts'
import { rowsShown } from './files.ts'
import type { PersonItem } from './person-items.ts'
import { readCall } from './read-call.ts'
import { notSearched } from './report.ts'
import { LOOKS_AT_ONCE, type SoughtPerson } from './sought.ts'
import { surveyPerson } from './survey.ts'

type Item = PersonItem['item']

const timeOrNull = (time: Instant | null): string | null => (time === null ? null : formatInstant(time))

const leadDocument = (item: Item) => {
  const lead = leadFromItem(item)
  return { owner: lead.owner, ...representLead(lead) }
}

const callDocument = (item: Item) => {
  const call = readCall(item)
  if (!call) return item
  const { owner, phone_number, agent, appointment, callback_time, reported_outcome } = call
  const begun = formatInstant(call.intent_time)
  const callback = timeOrNull(callback_time)
  return { owner, ...representCall(call), phone_number, agent, intent_time: begun, reported_outcome, appointment, callback_time: callback }
}

const textDocument = (item: Item) => {
  const text = smsFromItem(item)
  return { ...text, time: formatInstant(text.time) }
}

const Payload = v.pipe(v.string(), v.parseJson())

const deliveryDocument = (item: Item) => {
  const delivery = v.parse(Delivery, item)
  const { owner, subscription, payload } = delivery
  const shown = representDelivery(delivery, { enabled: true, url: null, first_url: null })
  return { owner, subscription, ...shown, payload: v.parse(Payload, payload) }
}

const consentDocument = (item: Item) => {
  const record = v.parse(ConsentRecord, item)
  return { owner: record.owner, ...representConsent(record) }
}

/** An export for one user shows only what that user may see of stops and lifts: others of the group and the operator received some. */
const stopsDocument = ({ phonePks, owner }: SoughtPerson) =>
  inLanes(LOOKS_AT_ONCE, [...phonePks].sort(), async (pk) => {
    const { call_dnc, sms_dnc, call_listed, sms_listed, list_lifts = [], attempts } = await getPhone(pk)
    const lifts = list_lifts.map(({ time, channels, reason }) => ({
      ...{ time: formatInstant(time), channels },
      reason: owner === undefined ? reason : null,
    }))
    const calls = attempts.map((at) => formatInstant(at))
    const history = (await stopHistory(pk)).map(({ time, ...stop }) => ({
      ...{ time: formatInstant(time), ...stop },
      ...(owner !== undefined && owner !== stop.owner && { ...HIDDEN_ORIGIN, agent: null, owner: null }),
    }))
    const flags = { call_dnc, sms_dnc, call_listed, sms_listed }
    return { dnc_group: parsePhoneGroup(pk), ...flags, list_lifts: lifts, latest_calls: calls, history }
  })

/** Prints everything that is held about a person as one JSON document. */
export const exportPerson = async (sought: SoughtPerson, output: Output): Promise<void> => {
  const { items, uploads } = await surveyPerson(sought, output, false)
  const theirs = (type: ItemType) => items.filter((found) => found.type === type && found.fate !== 'redact').map(({ item }) => item)
  const litigator = await litigatorHistory(sought.phoneNumber)
  const document = {
    phone_number: sought.phoneNumber,
    owner: sought.owner ?? null,
    exported_time: formatInstant(now()),
    not_searched: notSearched(sought),
    leads: theirs('lead').map(leadDocument),
    calls: theirs('call').map(callDocument),
    text_messages: theirs('sms').map(textDocument),
    promised_callbacks: theirs('timer').map(({ promised_time, fired_time = null }) => ({ promised_time, fired_time })),
    deliveries: theirs('delivery').map(deliveryDocument),
    accepted_updates: theirs('task').map(({ pk, sk, due_key, due_at, ...update }) => update),
    consents: theirs('consent').map(consentDocument),
    reassigned_number_answers: theirs('reassigned-answers').flatMap((item) => v.parse(PhoneAnswers, item).answers),
    stops: await stopsDocument(sought),
    listed_as_litigator: litigator.some(({ delisted_time }) => delisted_time === null),
    litigator_history: litigator.map(({ listed_time, delisted_time }) => ({
      listed_time: timeOrNull(listed_time),
      delisted_time: timeOrNull(delisted_time),
    })),
    uploads: await inLanes(1, uploads, async ({ upload_id, owner, upload, rows }) => ({
      upload_id,
      owner,
      source: upload?.source ?? null,
      filename: upload?.filename ?? null,
      rows: await rowsShown(rows),
    })),
    record_files: sought.everywhere ? await recordFilesNaming(sought.mentions) : null,
    mentioned_in: items.filter(({ fate }) => fate === 'redact' || fate === 'leave').map(({ key }) => `${key.pk} ${key.sk}`),
  }
  output.show(document, () => JSON.stringify(document, null, 2))
}
