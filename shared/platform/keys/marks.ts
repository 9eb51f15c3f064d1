import { type Key, keyPart } from './key.ts'
import { leadKey, personKey } from './leads.ts'

/**
 * A mark finds a partition with data of a person that no other key leads to. It is a small item in a partition that an erasure reads
 * anyway.
 */
export const MARK_PREFIX = 'MARK#'

const markIn = (pk: string, marked: string): Key => ({ pk, sk: `${MARK_PREFIX}${marked}` })

/** The partition that a mark finds. @throws Error when the key is not a mark's. */
export const markedPk = ({ sk }: Key): string => keyPart(sk, /^MARK#(.+)$/, 'a mark')

/** Finds a lead from a number that it had before: calls and deliveries of that time are stored with the lead. */
export const formerLeadMark = (owner: number, phoneNumber: string, lead: number): Key =>
  markIn(personKey(owner, phoneNumber).pk, leadKey(lead).pk)

/** Finds a former number of a lead, and with it the mark of the other direction. */
export const formerNumberMark = (owner: number, phoneNumber: string, lead: number): Key =>
  markIn(leadKey(lead).pk, personKey(owner, phoneNumber).pk)

/** Finds the record of an inbound call from the lead that was created for it. */
export const inboundCallMark = (lead: number, inboundCallPk: string): Key => markIn(leadKey(lead).pk, inboundCallPk)

/** Partition of the marks of the stored answers that hold a phone number. */
export const answerMarksPk = (phoneNumber: string): string => `IDEMPOTENCY#PHONE#${phoneNumber}`

/** Finds a stored answer to a repeated request from a phone number in it. */
export const answerMark = (phoneNumber: string, idempotencyPk: string): Key => markIn(answerMarksPk(phoneNumber), idempotencyPk)

/** The item that a mark finds. From a lead to its former number, this is the mark of the other direction. */
export const markedKey = (mark: Key): Key => {
  const pk = markedPk(mark)
  if (pk.startsWith('PERSON#')) return markIn(pk, mark.pk)
  return { pk, sk: pk.startsWith('INBOUNDCALL#') ? 'INBOUNDCALL' : 'IDEMPOTENCY' }
}
