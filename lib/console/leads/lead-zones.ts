import { locate } from '#shared/location/rules/locate.ts'
import type { Lead } from '../../client/operations.ts'

/** The page knows neither the default time zone of the service nor the places of IP addresses. */
const POLICY = { defaultTimezone: 'UTC', placeOfIp: () => undefined }

/** Whether the area code of the phone number adds a zone to those that the data of the lead names. */
export const hasAreaCodeZones = (lead: Pick<Lead, 'metadata' | 'phone_number' | 'us_state'>): boolean => {
  const { isKnown, timezones, presumed } = locate(lead, POLICY)
  return isKnown ? presumed !== null && presumed.zones.length > 0 : timezones.length > 1
}

/** The time zones of a lead, by the same rule as in the service. None if only the service knows them. */
export const zonesOfLead = (lead: Pick<Lead, 'metadata' | 'phone_number' | 'us_state'>): readonly string[] => {
  const { isKnown, timezones } = locate(lead, POLICY)
  return isKnown ? timezones : []
}
