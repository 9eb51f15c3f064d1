import type { User } from '../accounts/configuration.ts'
import { getEmergencies } from '../backlog/emergency-store.ts'
import type { Lead } from '../leads/lead.ts'
import { placeOfIp } from '../location/ip-places.ts'
import { setting } from '../platform/environment.ts'
import type { Disclosure } from './api/disclosure.ts'
import type { Call } from './call.ts'
import { disclosuresAt, possiblePlaces } from './rules/duties/disclosures-at.ts'
import type { CallingPolicy, PlacePolicy } from './rules/policy.ts'

/** The settings that decide, besides the leads themselves, where leads are. */
const placePolicy = (): PlacePolicy => ({ defaultTimezone: setting('DEFAULT_TIMEZONE'), placeOfIp })

/** The settings that decide, besides the leads themselves, when a user's leads may be called. */
export const callingPolicy = async (user: User | undefined): Promise<CallingPolicy> => ({
  ...placePolicy(),
  defaultWindow: setting('DEFAULT_WINDOW'),
  account: user?.calling_hours ?? null,
  emergencies: await getEmergencies(),
})

/** The disclosures that the agent of a call owes. They depend on the time of the intent, so that a repeated request has the same. */
export const disclosuresOf = ({ phone_number, intent_time }: Pick<Call, 'phone_number' | 'intent_time'>, lead: Lead): Disclosure[] =>
  disclosuresAt(possiblePlaces({ ...lead, phone_number }, placePolicy()), intent_time)
