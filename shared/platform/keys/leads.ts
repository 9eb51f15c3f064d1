import type { Instant } from '../values/values.ts'
import { type Key, keyPart } from './key.ts'

export const leadKey = (lead: number): Key => ({ pk: `LEAD#${lead}`, sk: 'LEAD' })

/** @throws Error when the key is not a lead's or a call's. */
export const parseLeadPk = (pk: string): number => {
  const lead = Number(pk.replace(/^LEAD#/, ''))
  if (!Number.isInteger(lead)) throw new Error(`Not the key of a lead: ${pk}`)
  return lead
}

export const personKey = (owner: number, phoneNumber: string): Key => ({ pk: `PERSON#${owner}#${phoneNumber}`, sk: 'PERSON' })
export const idsKey: Key = { pk: 'SEQUENCE', sk: 'IDS' }

export const CALL_PREFIX = 'CALL#'
const ATTEMPT_DIGITS = 6
export const callKey = (lead: number, attempt: number): Key => ({
  pk: `LEAD#${lead}`,
  sk: `${CALL_PREFIX}${String(attempt).padStart(ATTEMPT_DIGITS, '0')}`,
})

/** Remains of a call whose person has been erased. */
export const erasedCallKey = (lead: number, attempt: number): Key => ({
  pk: `LEAD#${lead}`,
  sk: `ERASEDCALL#${String(attempt).padStart(ATTEMPT_DIGITS, '0')}`,
})

/** @throws Error when the key is not a call's. */
export const parseCallKey = ({ pk, sk }: Key): { lead: number; attempt: number } => ({
  lead: parseLeadPk(pk),
  attempt: Number(keyPart(sk, /^CALL#(\d+)$/, 'a call')),
})

/** A call's id contains its lead and attempt. It is the same however often the attempt is begun. */
export const callId = (lead: number, attempt: number): string => `${lead}-${attempt}`

/** @returns undefined when the text is no call id. */
export const parseCallId = (text: string): { lead: number; attempt: number } | undefined => {
  const [, lead, attempt] = /^([1-9]\d{0,9})-([1-9]\d{0,5})$/.exec(text) ?? []
  return lead && attempt ? { lead: Number(lead), attempt: Number(attempt) } : undefined
}

/** An inbound call that an agent reported under its own id, to one of an owner's numbers. */
export const inboundCallKey = (owner: number, agent: string, providerCallId: string): Key => ({
  pk: `INBOUNDCALL#${owner}#${agent}#${providerCallId}`,
  sk: 'INBOUNDCALL',
})

export const SMS_PREFIX = 'SMS#'
export const smsKey = (lead: number, sms: string): Key => ({ pk: `LEAD#${lead}`, sk: `${SMS_PREFIX}${sms}` })

/** Timer that checks whether a promised callback is late: one item for each promise. */
export const CALLBACK_TIMER_PREFIX = 'TIMER#CALLBACK#'
export const callbackTimerKey = (lead: number, promised: Instant): Key => ({
  pk: `LEAD#${lead}`,
  sk: `${CALLBACK_TIMER_PREFIX}${new Date(promised).toISOString()}`,
})

/** @throws Error when the key is not a callback timer's. */
export const parseCallbackTimerSk = (sk: string): Instant => {
  const promised = Date.parse(sk.slice(CALLBACK_TIMER_PREFIX.length))
  if (!sk.startsWith(CALLBACK_TIMER_PREFIX) || Number.isNaN(promised)) throw new Error(`Not the key of a callback timer: ${sk}`)
  return promised
}
