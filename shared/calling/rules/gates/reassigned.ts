import { REASSIGNED_CHECKS } from '../../../data/reassigned-checks.ts'
import { isInternational } from '../../../location/rules/locate.ts'
import { type AnswerFound, answerFor } from '../../../reassigned/rules/answers.ts'
import { answersSince, earliestDayOf, pastDay } from '../../../reassigned/rules/days.ts'
import { dutiesAt, possiblePlaces } from '../duties/disclosures-at.ts'
import { type GateInputs, type Verdict, verdict } from '../verdict.ts'

/** The gate that compares the day of the consent with the answers of the reassigned numbers database. */

type AskingFacts = Pick<GateInputs, 'lead' | 'leadType' | 'policy' | 'now'>

const FEDERAL = ['47 CFR 64.1200(m)']

/** The laws for which a lead is checked at an instant. Empty: it is not checked. The database has only numbers of the North American plan. */
const citationsFor = ({ lead, leadType, policy, now }: AskingFacts): readonly string[] => {
  const use = leadType?.reassigned_numbers
  if (!use || isInternational(lead)) return []
  const duties = dutiesAt(possiblePlaces(lead, policy), now, REASSIGNED_CHECKS)
  const citations = [...new Set(duties.flatMap((duty) => duty.citations))]
  return citations.length === 0 && use.where === 'everywhere' ? FEDERAL : citations
}

/** Whether the answers about the number of a lead count, and the day of its consent with them. */
export const isReassignmentAsked = (facts: AskingFacts): boolean => citationsFor(facts).length > 0

type ReassignedFacts = AskingFacts & Pick<GateInputs, 'consent' | 'reassigned'>

/**
 * The day since which the number must be the person's: that of the consent or of the last contact, whichever is later, or of the creation if
 * that counts. Undefined: unknown.
 */
const dateOf = ({ lead, leadType, consent, now }: ReassignedFacts): string | undefined => {
  const { date_field: field = null, creation_counts = false } = leadType?.reassigned_numbers ?? {}
  // A record that nobody consented has a day, too.
  const given = consent?.given?.type === 'none' ? undefined : consent?.given?.time
  const contact = field === null || !Object.hasOwn(lead.metadata, field) ? undefined : pastDay(lead.metadata[field], now)
  const known = [...(given === undefined ? [] : [earliestDayOf(given)]), ...(contact === undefined ? [] : [contact])].toSorted()
  return known.at(-1) ?? (creation_counts ? earliestDayOf(lead.created_time) : undefined)
}

/** A sentence about a day in the metadata that does not count. */
const unusedDay = ({ lead, leadType }: ReassignedFacts): string => {
  const field = leadType?.reassigned_numbers?.date_field ?? null
  return field !== null && Object.hasOwn(lead.metadata, field)
    ? ` The metadata field ${field} holds no day such as 2026-06-10 that has come.`
    : ''
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

/**
 * The verdict shows no day that another user asked about. The dial's transaction does not check answers again. An answer stored after the
 * gate's read counts from the next call on.
 */
export const reassigned = (facts: ReassignedFacts): Verdict => {
  const citations = citationsFor(facts)
  const { now, leadType } = facts
  if (citations.length === 0)
    return verdict('reassigned', true, { code: 'NOT_ASKED', detail: 'No law demands a check of the number.', inputs: {} })
  const source = { rule: 'reassigned numbers database', citation: citations.join('; ') }
  const date = dateOf(facts)
  if (date === undefined) {
    const detail = `Neither a consent nor a contact with a known day is stored, so the database cannot be asked.${unusedDay(facts)}`
    return verdict('reassigned', false, { code: 'NO_DATE', detail, inputs: { date: null, answer: null, asked_on: null }, ...source })
  }
  const found = answerFor(facts.reassigned, date, answersSince(now, leadType?.reassigned_numbers?.max_age_days ?? 0))
  const { answer = null, asked_on = null } = found.kind === 'missing' ? {} : found.answer
  const [code, text] = TEXTS[found.kind]
  return verdict('reassigned', found.kind === 'not_reassigned', {
    ...{ code, detail: text(date, asked_on ?? ''), inputs: { date, answer, asked_on } },
    ...source,
  })
}

/** The day that the database must be asked about, so that the gate may pass. Undefined: no answer is needed, or none would help. */
export const dateToAsk = (facts: ReassignedFacts): string | undefined =>
  UNANSWERED.has(reassigned(facts).code) ? dateOf(facts) : undefined
