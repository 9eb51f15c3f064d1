import type { LeadType } from '../../../accounts/configuration.ts'
import { type ConsentState, type ConsentType, isEnough } from '../../../consents/consent.ts'
import { demandedType, type Places } from '../../../consents/rules/demand.ts'
import { isInternational, isOnlyPresumed } from '../../../location/rules/locate.ts'
import { formatInstant } from '../../../platform/values/time.ts'
import { callingHours } from '../calling-hours.ts'
import { type GateInputs, type Verdict, verdict } from '../verdict.ts'

/** The gate that looks at the consent of the person: the proof in the lead's metadata, and the records of the phone. */

/** Words that mean no, or nothing, at the beginning of the proof of consent, or alone: "Revoked 2026-05-01", "consent: no". */
const NO_PROOF = new RegExp(
  '^(?:(?:consent|is|was|has|did|does) )*' +
    '(?:(?:no|not|none|never|null|undefined|nan|declined|refused|denied|rejected|revoked|withdrawn|expired|opted out|opt out)(?: |$)' +
    '|(?:false|n|f|off|0|na|n a|unknown)?$)',
)

/** The words in small letters, without punctuation. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

/** A meaningful text, a number other than 0, or true. A list or an object proves nothing that we could check. */
const isProof = (value: unknown): boolean => {
  if (typeof value === 'string') return !NO_PROOF.test(wordsOf(value))
  return value === true || (typeof value === 'number' && value !== 0)
}

/** The result of one of the two checks. */
interface Finding {
  readonly passed: boolean
  readonly code: string
  readonly detail: string
  readonly inputs: Verdict['inputs']
}

const metadataOf = ({ metadata }: GateInputs['lead'], field: string): unknown =>
  Object.hasOwn(metadata, field) ? metadata[field] : undefined

/** Whether the metadata has the proof of consent that the lead type names. */
export const hasProof = (lead: GateInputs['lead'], { consent_field: field }: LeadType): boolean =>
  field !== null && isProof(metadataOf(lead, field))

const fieldFinding = (lead: GateInputs['lead'], leadType: LeadType): Finding[] => {
  const { consent_field: field } = leadType
  if (field === null) return []
  const value = metadataOf(lead, field)
  const passed = hasProof(lead, leadType)
  return [
    {
      passed,
      code: passed ? 'GIVEN' : 'MISSING',
      detail: passed ? `The metadata field ${field} proves consent.` : `The metadata field ${field} holds no proof of consent.`,
      inputs: { consent_field: field, value: value ?? null },
    },
  ]
}

/** Where the lead may be. An area code alone does not exclude the other places. */
const placesOf = ({ lead, policy }: ConsentInputs): Places => {
  if (isInternational(lead)) return []
  const { location, jurisdictions } = callingHours(lead, policy)
  const known = jurisdictions.filter((code) => !isOnlyPresumed(location, code))
  return known.length === 0 ? null : jurisdictions
}

const NAMES: Readonly<Record<ConsentType, string>> = {
  none: 'no consent',
  oral: 'an oral consent',
  written: 'a written consent',
  written_seller: 'a written consent that names the seller',
}

const shortfall = ({ given, revoked_time }: ConsentState): { code: string; detail: string } => {
  if (given) return { code: 'TOO_WEAK', detail: `The strongest record of the phone is ${NAMES[given.type]}.` }
  if (revoked_time === null) return { code: 'MISSING', detail: 'No consent is recorded for the phone.' }
  return { code: 'REVOKED', detail: `The consent to calls was revoked at ${formatInstant(revoked_time)}.` }
}

const recordFinding = (gateInputs: ConsentInputs, leadType: LeadType): Finding[] => {
  const { consent } = gateInputs
  const demanded = demandedType(leadType, placesOf(gateInputs))
  if (demanded === 'none' || !consent) return []
  const { given, revoked_time } = consent
  const time = given?.time ?? revoked_time
  const inputs = { demanded, found: given?.type ?? null, time: time === null ? null : formatInstant(time) }
  if (given && isEnough(given.type, demanded))
    return [{ passed: true, code: 'GIVEN', detail: `The phone has ${NAMES[given.type]}.`, inputs }]
  const { code, detail } = shortfall(consent)
  return [{ passed: false, code, detail: `${detail} The lead type demands ${NAMES[demanded]}.`, inputs }]
}

/** The inputs that the gate looks at. */
export type ConsentInputs = Pick<GateInputs, 'lead' | 'leadType' | 'policy' | 'consent'>

/**
 * A lead type may demand a proof in the metadata, a recorded consent, or both.
 *
 * The records may change between this read and the dial, and no condition of the dial's transaction looks at them. None is needed. A new
 * consent only permits more. A revocation first raises the stop of the phone: the transaction takes the phone as the gates read it, so it
 * fails. If the stop is lifted before the revocation is recorded, the revocation changes the phone once more. The phone must therefore be
 * read before the records.
 */
export const consent = (inputs: ConsentInputs): Verdict => {
  const { lead, leadType } = inputs
  const findings = leadType ? [...fieldFinding(lead, leadType), ...recordFinding(inputs, leadType)] : []
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
