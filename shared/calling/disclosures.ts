import type { Lead } from '../leads/lead.ts'
import type { Disclosure } from './api/disclosure.ts'
import type { Call } from './call.ts'
import { placePolicy } from './calling-policy.ts'
import { disclosuresAt, possiblePlaces } from './rules/duties/disclosures-at.ts'

/** What the agent must say in a call. It depends on the time of the intent, so that a repeated request says the same. */
export const disclosuresOf = ({ phone_number, intent_time }: Pick<Call, 'phone_number' | 'intent_time'>, lead: Lead): Disclosure[] =>
  disclosuresAt(possiblePlaces({ ...lead, phone_number }, placePolicy()), intent_time)
