import type { LeadType } from '../../../accounts/configuration.ts'
import { type ConsentState, type ConsentType, isEnough } from '../../../consents/consent.ts'
import { withoutRevoked } from '../../../consents/rules/current-consent.ts'
import { demandedType, type Places } from '../../../consents/rules/demand.ts'
import { isFromClient, mayBeEvidence } from '../../../leads/rules/field-times.ts'
import { isInternational, isOnlyPresumed } from '../../../location/rules/locate.ts'
import { DAY } from '../../../platform/values/durations.ts'
import { formatInstant } from '../../../platform/values/time.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { callingHours } from '../calling-hours.ts'
import { localDay } from '../hours/hours.ts'
import { type GateInputs, type Verdict, verdict } from '../verdict.ts'

/** The gate that looks at the consent of the person: the proof in the lead's metadata, and the records of the phone. */

/** Who says it, or is spoken of. */
const SUBJECT = '(?:(?:please|pls|i|we|you|he|she|they|the|my|person|customer|client|user|lead|consumer) )*'

const NOT = '(?:do|does|did|has|have|had|am|is|are|was|were|wo|would|can|ca|could|should|must|may)(?: not|n ?t)'

/** After a "not", these words deny nothing: "I did not opt out", "Don't hesitate to call". */
const HARMLESS =
  '(?:opt|opted|unsubscribed?|revoked?|withdrawn?|declined?|refused?|denied|deny|rejected?|expired?|cancell?(?:ed)?|object|objected|mind|hesitate)(?: |$)'

/** Words at the beginning that deny consent: "I do not consent", "Please don't call me", "The customer revoked", "Stop calling". */
const DENIED =
  `${SUBJECT}(?:${NOT}(?: (?!${HARMLESS})|$)|cannot(?: |$)|stop (?:calling|contacting|texting)(?: |$)` +
  '|(?:(?:has|have|is|was) )?(?:declined|refused|denied|rejected|revoked|withdrawn|opted out)(?: |$))'

/** Words that mean no, or nothing, at the beginning of the proof of consent, or alone: "Revoked 2026-05-01", "consent: no". */
const NO_PROOF = new RegExp(
  `^(?:${DENIED}|` +
    '(?:(?:my|our|his|her|their|the|consent|is|was|has|did|does) )*' +
    '(?:(?:no|not|none|never|null|undefined|nan|declined|refused|denied|rejected|revoked|withdrawn|expired|opted out|opt out)(?: |$)' +
    '|(?:dnc|optout|optedout|without (?:consent|permission|authorization))(?: |$)' +
    // These words also begin names: "Stop & Shop".
    '|(?:nein|missing|pending|unsubscribed?|stop|stopped|cancell?ed|removed|deleted|invalid)(?: (?:\\d|on |by |since |review).*)?$' +
    '|(?:nope|decline|declines|refuse|refuses|disagreed?|disagrees|unchecked|disabled|void)(?: (?:\\d|on |by |since ).*)?$' +
    '|(?:false|n|f|off|0|na|n a|non|não|unknown|tbd)?$))',
)

/** The words in small letters, without punctuation. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

/** A meaningful text, a number other than 0, or true. A list or an object proves nothing that we could check. */
const isProof = (value: unknown): boolean => {
  if (typeof value === 'string') return !NO_PROOF.test(wordsOf(value))
  return value === true || (typeof value === 'number' && value !== 0)
}

/** The inputs that the gate looks at. */
export type ConsentInputs = Pick<GateInputs, 'lead' | 'leadType' | 'policy' | 'consent' | 'phone'>

/**
 * When the person last revoked the consent to calls, or a wrong number ended it; null: never. A revocation counts for all users who share
 * the list of the phone's group. A wrong number counts for the user of the call.
 */
export const lastRevocation = ({ consent, phone }: Pick<ConsentInputs, 'consent' | 'phone'>): Instant | null => {
  const times = [consent?.revoked_time ?? null, phone.call_revoked].filter((time) => time !== null)
  return times.length === 0 ? null : Math.max(...times)
}

/** Whether a day began after the last revocation, in UTC and by each clock that the person may have. */
export const isAfterRevocation = (day: string, inputs: Pick<ConsentInputs, 'consent' | 'phone' | 'lead' | 'policy'>): boolean => {
  const revocation = lastRevocation(inputs)
  if (revocation === null) return true
  const { timezones } = callingHours(inputs.lead, inputs.policy).location
  const began = Date.parse(day)
  return began > revocation && timezones.every((zone) => began / DAY > localDay(zone, revocation).day)
}

/** The recorded consent that counts. */
export const consentGiven = ({ consent, phone }: Pick<ConsentInputs, 'consent' | 'phone'>): ConsentState['given'] =>
  consent && withoutRevoked(consent, phone.call_revoked).given

/** The result of one of the two checks. */
interface Finding {
  readonly passed: boolean
  readonly code: string
  readonly detail: string
  readonly inputs: Verdict['inputs']
}

const metadataOf = ({ metadata }: GateInputs['lead'], field: string): unknown =>
  Object.hasOwn(metadata, field) ? metadata[field] : undefined

/** Whether a client sent the proof of consent that the lead type names, for the lead's phone number. */
export const hasProof = (lead: GateInputs['lead'], { consent_field: field }: LeadType): boolean =>
  field !== null && isProof(metadataOf(lead, field)) && mayBeEvidence(lead, field)

/** When the consent of this user was revoked. The time of a revocation to another user of the group stays with that user. */
const ownRevocation = ({ consent }: Pick<ConsentInputs, 'consent'>): Instant | null => consent?.revoked_time ?? null

const revokedText = (inputs: Pick<ConsentInputs, 'consent'>): string => {
  const own = ownRevocation(inputs)
  return own === null
    ? 'The person revoked the consent to calls to another user of your do-not-contact list.'
    : `The consent to calls was revoked at ${formatInstant(own)}.`
}

/** A proof has no date. So after a revocation, it counts only together with a consent that was recorded since. */
const fieldFinding = (gateInputs: ConsentInputs, leadType: LeadType): Finding[] => {
  const { lead } = gateInputs
  const { consent_field: field } = leadType
  if (field === null) return []
  const value = metadataOf(lead, field)
  const inputs = { consent_field: field, value: value ?? null }
  const refused = (code: string, detail: string): Finding[] => [{ passed: false, code, detail, inputs }]
  if (!isProof(value)) return refused('MISSING', `The metadata field ${field} holds no proof of consent.`)
  if (!isFromClient(lead, field))
    return refused(
      'MISSING',
      `The metadata field ${field} was collected in a call, so it proves no consent. Send it if the person consented.`,
    )
  if (!hasProof(lead, leadType))
    return refused(
      'MISSING',
      `The metadata field ${field} was set before the lead got its phone number. Send it again if it is about this number.`,
    )
  if (lastRevocation(gateInputs) !== null && !isEnough(consentGiven(gateInputs)?.type ?? 'none', 'oral'))
    return refused(
      'REVOKED',
      `${revokedText(gateInputs)} The metadata field ${field} has no date. If the person consents again, record that consent.`,
    )
  return [{ passed: true, code: 'GIVEN', detail: `The metadata field ${field} proves consent.`, inputs }]
}

/** Where the lead may be. An area code alone does not exclude the other places. */
const placesOf = ({ lead, policy }: ConsentInputs): Places => {
  if (isInternational(lead)) return []
  const { location, jurisdictions } = callingHours(lead, policy)
  const known = jurisdictions.filter((code) => !isOnlyPresumed(location, code))
  return known.length === 0 ? null : jurisdictions
}

/** The type of consent that a call to the lead needs. An exemption from a registry needs one, too. */
const neededType = (inputs: ConsentInputs, given: ConsentType): ConsentType => {
  const { leadType } = inputs
  if (!leadType) return 'none'
  const exempts = leadType.registries?.exemption === 'consent' && given === 'written_seller'
  return exempts ? given : demandedType(leadType, placesOf(inputs))
}

/** When the person last gave a consent that is enough for a call to the lead. If none is enough, the strongest one. Undefined: never. */
export const lastConsentTime = (inputs: ConsentInputs): Instant | undefined => {
  const { consent, phone } = inputs
  const { given = null, weaker = [] } = consent ? withoutRevoked(consent, phone.call_revoked) : {}
  // A record that nobody consented has a time, too.
  if (given === null || given.type === 'none') return undefined
  const needed = neededType(inputs, given.type)
  const times = weaker.filter(({ type }) => type !== 'none' && isEnough(type, needed)).map(({ time }) => time)
  return Math.max(given.time, ...times)
}

const NAMES: Readonly<Record<ConsentType, string>> = {
  none: 'no consent',
  oral: 'an oral consent',
  written: 'a written consent',
  written_seller: 'a written consent that names the seller',
}

const shortfall = (gateInputs: ConsentInputs): { code: string; detail: string } => {
  const given = consentGiven(gateInputs)
  if (given) return { code: 'TOO_WEAK', detail: `The strongest record of the phone is ${NAMES[given.type]}.` }
  if (lastRevocation(gateInputs) === null) return { code: 'MISSING', detail: 'No consent is recorded for the phone.' }
  return { code: 'REVOKED', detail: revokedText(gateInputs) }
}

const recordFinding = (gateInputs: ConsentInputs, leadType: LeadType): Finding[] => {
  const demanded = demandedType(leadType, placesOf(gateInputs))
  if (demanded === 'none') return []
  const given = consentGiven(gateInputs)
  const time = given?.time ?? ownRevocation(gateInputs)
  const inputs = { demanded, found: given?.type ?? null, time: time === null ? null : formatInstant(time) }
  if (given && isEnough(given.type, demanded))
    return [{ passed: true, code: 'GIVEN', detail: `The phone has ${NAMES[given.type]}.`, inputs }]
  const { code, detail } = shortfall(gateInputs)
  return [{ passed: false, code, detail: `${detail} The lead type demands ${NAMES[demanded]}.`, inputs }]
}

/**
 * A lead type may demand a proof in the metadata, a recorded consent, or both.
 *
 * The dial's transaction checks only the phone, not the records. That is enough: a new consent only permits more, and each revocation and
 * wrong number also changes the phone. So a dial that read the phone before the change fails. Read the phone before the records.
 */
export const consent = (inputs: ConsentInputs): Verdict => {
  const { leadType } = inputs
  const findings = leadType ? [...fieldFinding(inputs, leadType), ...recordFinding(inputs, leadType)] : []
  const [first] = findings
  if (!first) return verdict('consent', true, { code: 'NOT_ASKED', detail: 'The lead type requires no proof of consent.', inputs: {} })
  const refused = findings.find(({ passed }) => !passed)
  return verdict('consent', !refused, {
    code: (refused ?? first).code,
    detail: refused ? refused.detail : findings.map(({ detail }) => detail).join(' '),
    inputs: Object.assign({}, ...findings.map(({ inputs }) => inputs)),
    rule: 'prior express written consent',
    citation: '47 CFR 64.1200(a)(2)',
  })
}
