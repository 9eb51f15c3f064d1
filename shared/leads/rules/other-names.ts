import { lettersOf } from '../../http/fields/nearest.ts'

/** Other names of fields that are in common use, in small letters and digits only. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['zipcode', 'postalcode', 'postcode'].map((name) => [name, 'zip'] as const),
  ...['phone', 'mobile', 'mobilephone', 'cell', 'cellphone', 'tel', 'telephone'].map((name) => [name, 'phone_number'] as const),
  ...['dnc', 'donotcall', 'donotcontact', 'optout', 'optedout', 'unsubscribe', 'unsubscribed'].map((name) => [name, 'call_dnc'] as const),
  ['tz', 'timezone'],
  ['emailaddress', 'email'],
  ['propertyzipcode', 'property_zip'],
])

/** The field or metadata key for which this name is another common name. */
export const commonlyCalled = (name: string): string | undefined => OTHER_NAMES.get(lettersOf(name))
