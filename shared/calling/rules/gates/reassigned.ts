import { REASSIGNED_CHECKS } from '../../../data/reassigned-checks.ts'
import { isFromClient, mayBeEvidence } from '../../../leads/rules/field-times.ts'
import { isInternational } from '../../../location/rules/locate.ts'
import { type AnswerFound, answerFor } from '../../../reassigned/rules/answers.ts'
import { answersSince, earliestDayOf, pastDay } from '../../../reassigned/rules/days.ts'
import { dutiesAt, possiblePlaces } from '../duties/disclosures-at.ts'
import { type GateInputs, type Verdict, verdict } from '../verdict.ts'
import { openingOnDay } from './coming-day.ts'
import { isAfterRevocation, lastConsentTime } from './consent.ts'

/** The gate that compares the day of the consent with the answers of the reassigned numbers database. */

type CheckInputs = Pick<GateInputs, 'lead' | 'leadType' | 'policy' | 'now'>

const FEDERAL = ['47 CFR 64.1200(m)']

/** The laws for which a lead is checked at an instant. Empty: it is not checked. The database has only numbers of the North American plan. */
const citationsFor = ({ lead, leadType, policy, now }: CheckInputs): readonly string[] => {
  const use = leadType?.reassigned_numbers
  if (!use || isInternational(lead)) return []
  const duties = dutiesAt(possiblePlaces(lead, policy), now, REASSIGNED_CHECKS)
  const citations = [...new Set(duties.flatMap((duty) => duty.citations))]
  return citations.length === 0 && use.where === 'everywhere' ? FEDERAL : citations
}

/**
 * Whether the answers about the number of a lead count at some time, and the day of its consent with them. Planning and `explain` look at
 * other times than now, when another law may be in force.
 */
export const isReassignmentAsked = ({ lead, leadType, policy }: Omit<CheckInputs, 'now'>): boolean => {
  const use = leadType?.reassigned_numbers
  if (!use || isInternational(lead)) return false
  const checked = new Set(REASSIGNED_CHECKS.map(({ jurisdiction }) => jurisdiction))
  return use.where === 'everywhere' || possiblePlaces(lead, policy).some(({ jurisdiction }) => checked.has(jurisdiction))
}

type ReassignedInputs = CheckInputs & Pick<GateInputs, 'consent' | 'phone' | 'reassigned'>

/** The day of contact in the metadata, if a client sent it and it is about the lead's phone number. */
const contactDay = ({ lead, leadType, now }: ReassignedInputs): string | undefined => {
  const field = leadType?.reassigned_numbers?.date_field ?? null
  if (field === null || !Object.hasOwn(lead.metadata, field) || !mayBeEvidence(lead, field)) return undefined
  return pastDay(lead.metadata[field], now)
}

/**
 * The day since which the number must be the person's: that of the consent or of the last contact, whichever is later, or of the creation if
 * that counts. After a revocation or a wrong number, only later days count. Undefined: unknown.
 */
const dateOf = (inputs: ReassignedInputs): string | undefined => {
  const { lead, leadType } = inputs
  const time = lastConsentTime(inputs)
  const consented = time === undefined ? undefined : earliestDayOf(time)
  const ifLater = (day: string | undefined): string[] => (day !== undefined && isAfterRevocation(day, inputs) ? [day] : [])
  const known = [...(consented === undefined ? [] : [consented]), ...ifLater(contactDay(inputs))].toSorted()
  const created = leadType?.reassigned_numbers?.creation_counts ? earliestDayOf(lead.created_time) : undefined
  return known.at(-1) ?? ifLater(created)[0]
}

/** A sentence about a day in the metadata that does not count. */
const unusedDay = (inputs: ReassignedInputs): string => {
  const { lead, leadType, now } = inputs
  const field = leadType?.reassigned_numbers?.date_field ?? null
  if (field === null || !Object.hasOwn(lead.metadata, field)) return ''
  if (pastDay(lead.metadata[field], now) === undefined) return ` The metadata field ${field} holds no day such as 2026-06-10 that has come.`
  if (!isFromClient(lead, field)) return ` The metadata field ${field} was collected in a call, and only a day that a client sends counts.`
  return contactDay(inputs) === undefined
    ? ` The metadata field ${field} was set before the lead got its phone number.`
    : ` The day in the metadata field ${field} does not count: the person revoked the consent, or had a wrong number, on that day or later.`
}

const TEXTS: Readonly<Record<AnswerFound['kind'], readonly [code: string, text: (date: string, asked: string) => string]>> = {
  not_reassigned: [
    'NOT_REASSIGNED',
    (date, asked) => `The database said on ${asked} that the number was not disconnected on ${date} or later.`,
  ],
  reassigned: [
    'REASSIGNED',
    (date, asked) => `The database said on ${asked} that the number was permanently disconnected on ${date} or later.`,
  ],
  too_old: ['TOO_OLD', (date, asked) => `The answer about ${date} of ${asked} is too old: the database may have changed since.`],
  no_data: ['NO_DATA', (date, asked) => `The database said on ${asked} that it has no data about the number since ${date}.`],
  missing: ['MISSING', (date) => `No answer of the reassigned numbers database about ${date} is stored.`],
}

/** Codes of refusals after which a question to the database may help. */
const UNANSWERED = new Set(['MISSING', 'TOO_OLD'])

const judged = (inputs: ReassignedInputs): Verdict => {
  const citations = citationsFor(inputs)
  const { now, leadType } = inputs
  if (citations.length === 0)
    return verdict('reassigned', true, { code: 'NOT_ASKED', detail: 'No law demands a check of the number.', inputs: {} })
  const source = { rule: 'reassigned numbers database', citation: citations.join('; ') }
  const date = dateOf(inputs)
  if (date === undefined) {
    const detail = `Neither a consent nor a contact with a known day is stored, so the database cannot be asked.${unusedDay(inputs)}`
    return verdict('reassigned', false, { code: 'NO_DATE', detail, inputs: { date: null, answer: null, asked_on: null }, ...source })
  }
  const found = answerFor(inputs.reassigned, date, answersSince(now, leadType?.reassigned_numbers?.max_age_days ?? 0))
  const { answer = null, asked_on = null } = found.kind === 'missing' ? {} : found.answer
  const [code, text] = TEXTS[found.kind]
  return verdict('reassigned', found.kind === 'not_reassigned', {
    ...{ code, detail: text(date, asked_on ?? ''), inputs: { date, answer, asked_on } },
    ...source,
  })
}

/**
 * The verdict shows no day that another user asked about. The dial's transaction does not check answers again. An answer stored after the
 * gate's read counts from the next call on.
 */
export const reassigned = (inputs: ReassignedInputs): Verdict =>
  openingOnDay(judged, inputs, inputs.leadType?.reassigned_numbers?.date_field ?? null)

/** The day that the database must be asked about, so that the gate may pass. Undefined: no answer is needed, or none would help. */
export const dateToAsk = (inputs: ReassignedInputs): string | undefined =>
  UNANSWERED.has(reassigned(inputs).code) ? dateOf(inputs) : undefined
