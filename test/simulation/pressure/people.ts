/** In Hawaii it is night when the calls begin: nobody calls these people. */
const AREA = 808

/** A person of a file or a bulk request. @param exchange the first number of seven digits: people with distant numbers differ */
export const personOf = (exchange: number, number: number) => ({
  phone_number: `+1${AREA}${exchange + number}`,
  email: `person.${exchange + number}@example.com`,
  first_name: 'Alex',
  last_name: `Example ${number}`,
  us_state: 'HI',
  lead_source: 'pressure',
})
