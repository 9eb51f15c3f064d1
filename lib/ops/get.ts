import { listedLitigators } from '#shared/stops/litigator-store.ts'
import { LISTED, listingOf } from './listings.ts'
import { type Output, table } from './output.ts'
import { phoneNumberOf } from './phone-number.ts'
import { OpsRefusal } from './refusal.ts'
import { readConfigurationState } from './state.ts'
import { toYaml } from './to-yaml.ts'

/** Shows whether numbers are on the list of litigators. The list holds only hashes. */
export const showLitigators = async (numbers: readonly string[], output: Output): Promise<void> => {
  if (numbers.length === 0) {
    throw new OpsRefusal(
      'Only hashes of litigators are kept, so that they cannot be listed. Name numbers, to see whether they are on the list.',
    )
  }
  const asked = [...new Set(numbers.map(phoneNumberOf))]
  const listed = await listedLitigators(asked)
  const rows = asked.map((number) => ({ phone_number: number, listed: listed.has(number) }))
  output.show(rows, () =>
    table(
      ['phone number', 'listed'],
      rows.map((row) => [row.phone_number, row.listed ? 'yes' : 'no']),
      '',
    ),
  )
}

/** @param baseUrl of the service, without a slash at its end */
export const showSetUp = async (what: string | undefined, asYaml: boolean, baseUrl: string, output: Output): Promise<void> => {
  const state = await readConfigurationState()
  if (asYaml) {
    output.say(toYaml(state).trimEnd())
    return
  }
  const wanted = LISTED.filter((listed) => what === undefined || listed === what)
  const listings = wanted.map((name) => ({ name, ...listingOf(name, state, baseUrl) }))
  const texts = listings.map(({ columns, rows, none }) => table(columns, rows, none))
  const document = Object.fromEntries(listings.map((listing) => [listing.name.replace('-', '_'), listing.document]))
  output.show(what === undefined ? document : listings[0]?.document, () =>
    what === undefined ? listings.map(({ name }, at) => `${name}\n\n${texts[at]}`).join('\n\n') : texts.join('\n'),
  )
}
