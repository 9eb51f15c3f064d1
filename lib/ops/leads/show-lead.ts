import * as v from 'valibot'
import { knownUser } from '#shared/accounts/user-store.ts'
import { representCall } from '#shared/calling/api/call.ts'
import { mustSay } from '#shared/calling/api/disclosure.ts'
import { explainLead } from '#shared/calling/explain/explain.ts'
import { representLead } from '#shared/leads/api/lead-response.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { itemsOfLead, leadTimeline } from '#shared/leads/lead-timeline.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { partitionItems } from '#shared/platform/table/table.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { getPhone, phonePk } from '#shared/stops/phone-store.ts'
import { unreadable } from '../check/kinds/unreadable.ts'
import { faultText, KeyOfItem } from '../check/scan/items.ts'
import { counted, type Output, table } from '../output.ts'
import { OpsRefusal } from '../refusal.ts'
import { type LeadNaming, leadIdOf } from './lead-look-up.ts'

/** The message of `check` about a malformed item in the lead's partition; undefined when all are well formed. */
const unreadableOf = async (id: number): Promise<string | undefined> => {
  const keys = await partitionItems(KeyOfItem, leadKey(id).pk)
  for (const { pk, sk } of keys) {
    const damage = await unreadable.look(`${pk}/${sk}`)
    if (damage) return damage.message
  }
  return undefined
}

/** @throws OpsRefusal when an item that is read is malformed */
const readable = async <T>(id: number, read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (!v.isValiError(error)) throw error
    throw new OpsRefusal((await unreadableOf(id)) ?? `An item that lead ${id} depends on cannot be read (${faultText(error)}).`)
  }
}

const read = (id: number): Promise<Lead | undefined> => readable(id, () => getLead(id))

/** @throws OpsRefusal when the lead is missing or malformed, or when several leads have this name */
const leadOf = async (named: LeadNaming): Promise<Lead> => {
  const id = await leadIdOf(named, async (one) => (await read(one))?.owner)
  const lead = await read(id)
  if (lead) return lead
  throw new OpsRefusal(`There is no lead ${id}.`)
}

const shown = (value: unknown): string => (typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value ?? ''}`)

/** Internal state that the lead's owner does not see. */
const inner = ({ owner, version, position, due_list, held_by, promised_time, attempts, round_attempts, current_call }: Lead) => ({
  owner,
  version,
  position,
  due_list,
  held_by,
  promised_time: promised_time === null ? null : new Date(promised_time).toISOString(),
  attempts,
  round_attempts,
  current_call,
})

/** The stops of the lead's phone in its owner's DNC group, and the lifted ones. */
const stopsOf = async ({ owner, phone_number }: Lead) => {
  const { dnc_group } = await knownUser(owner)
  const { call_dnc, sms_dnc, call_listed, sms_listed, list_lifts = [] } = await getPhone(await phonePk(dnc_group, phone_number))
  const lifts = list_lifts.map(({ time, ...lift }) => ({ time: new Date(time).toISOString(), ...lift }))
  return { dnc_group, call_dnc, sms_dnc, call_listed, sms_listed, list_lifts: lifts }
}

export const showLead = async (named: LeadNaming, output: Output): Promise<void> => {
  const lead = await leadOf(named)
  const { calls, texts } = await readable(lead.id, () => itemsOfLead(lead.id))
  const stops = await readable(lead.id, () => stopsOf(lead))
  const document = { lead: representLead(lead), state: inner(lead), stops, calls: calls.map((call) => representCall(call)), texts }
  output.show(document, () =>
    [
      table(
        ['field', 'value'],
        Object.entries({ ...document.lead, ...document.state }).map(([name, value]) => [name, shown(value)]),
        '',
      ),
      table(
        ['stops of the phone number', ''],
        Object.entries(document.stops).map(([name, value]) => [name, shown(value)]),
        '',
      ),
      table(
        ['call', 'status', 'outcome', 'started', 'seconds'],
        document.calls.map((call) => [
          ...[call.call_id, call.call_status, call.outcome ?? '', call.started_time ?? '', call.duration_seconds ?? ''],
        ]),
        'No calls.',
      ),
      `${counted(texts.length, 'text message')}.`,
    ].join('\n\n'),
  )
}

type Explained = Awaited<ReturnType<typeof explainLead>>

const isPassed = ({ gate, passed }: Explained['gates'][number]): boolean => passed || gate === 'due'

/** When the service plans to call, or why it does not. A lead that passes all other gates may have its call planned for later. */
const planText = ({ gates }: Explained): string => {
  const due = gates.find(({ gate }) => gate === 'due')
  if (due === undefined || due.passed) return 'The next call is due.'
  return due.next_time === null ? due.detail : `The next call is planned for ${due.next_time}.`
}

/** When the rules allow a call that they do not allow yet. */
const nextText = ({ at, next_callable_time }: Explained): string => {
  if (next_callable_time === null) return 'It can never be called unless something changes.'
  // Only calls that go on refuse when the next time is the present one. Nobody knows when they end.
  if (next_callable_time === at) return 'The rules allow a call as soon as the calls that go on are over.'
  return `The rules allow a call from ${next_callable_time}.`
}

const summaryOf = (explained: Explained, at: Instant | undefined): string => {
  const { lead_id, callable, gates } = explained
  const when = at === undefined ? `now (${explained.at})` : `at ${explained.at}`
  if (callable) return `The rules allow a call to lead ${lead_id} ${when}. ${planText(explained)}`
  const plan = gates.every(isPassed) ? ` ${planText(explained)}` : ''
  return `Lead ${lead_id} is not called ${when}.${plan}\n${nextText(explained)}`
}

/** Lines with the duties of the agent to say something, and with their citations. */
const sayingsOf = ({ disclosures = [] }: Explained): string[] => {
  const { say, within_seconds } = mustSay(disclosures)
  const when = within_seconds === null ? '' : ` within ${within_seconds} seconds`
  const laws = disclosures.map(({ jurisdiction, citations }) => `${jurisdiction} (${citations.join('; ')})`)
  return [`The agent must say${when}: ${say.join(', ')}.`, `That is written in: ${laws.join(', ')}. This is not legal advice.`]
}

/** @param at undefined: now */
export const explainTo = async (named: LeadNaming, at: Instant | undefined, output: Output): Promise<void> => {
  const lead = await leadOf(named)
  const explained = await readable(lead.id, () => explainLead(lead, at, true))
  output.show(explained, () =>
    [
      summaryOf(explained, at),
      '',
      table(
        ['gate', 'passed', 'why', 'next'],
        explained.gates.map(({ gate, passed, detail, next_time }) => [gate, passed ? 'yes' : 'NO', detail, next_time ?? '']),
        '',
      ),
      ...sayingsOf(explained),
      ...(explained.remarks ?? []).map(({ field, detail }) => `Remark on ${field}: ${detail}`),
    ].join('\n'),
  )
}

/** `CLOSED (warm_transfer), by CHAT`. */
const statusText = ({ status, status_detail, status_reason }: Lead): string =>
  `${status}${status_detail === null ? '' : ` (${status_detail})`}${status_reason === null ? '' : `, by ${status_reason}`}`

export const showTimeline = async (named: LeadNaming, output: Output): Promise<void> => {
  const lead = await leadOf(named)
  const entries = (await readable(lead.id, () => leadTimeline(lead))).map(({ time, ...rest }) => ({
    time: new Date(time).toISOString(),
    ...rest,
  }))
  const { status, status_detail, status_reason } = lead
  output.show({ lead_id: lead.id, status, status_detail, status_reason, entries }, () =>
    [
      table(
        ['time', 'of', 'what'],
        entries.map(({ time, kind, text }) => [time, kind, text]),
        '',
      ),
      `Now the lead is ${statusText(lead)}, after ${counted(lead.attempts, 'call')}.`,
    ].join('\n\n'),
  )
}
