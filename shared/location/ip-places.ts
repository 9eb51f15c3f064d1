import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { type CityResponse, Reader } from 'mmdb-lib'
import * as v from 'valibot'
import type { IpPlace } from '../calling/rules/policy.ts'
import { setting } from '../platform/environment.ts'
import { loggable, logger } from '../platform/logger.ts'

/** The fields that we read from a record of a city database in the GeoIP2 layout. */
const City = v.object({
  country: v.optional(v.object({ iso_code: v.optional(v.string()) })),
  subdivisions: v.optional(v.array(v.object({ iso_code: v.optional(v.string()) }))),
  location: v.optional(v.object({ time_zone: v.optional(v.string()) })),
})

/** Territories that such databases list as countries. */
const TERRITORIES = new Set(['AS', 'GU', 'MP', 'PR', 'VI'])

const stateOf = ({ country, subdivisions }: v.InferOutput<typeof City>): string | null => {
  const code = country?.iso_code ?? ''
  if (code === 'US') return subdivisions?.[0]?.iso_code ?? null
  return TERRITORIES.has(code) ? code : null
}

const placeOf = (record: unknown): IpPlace | undefined => {
  const city = v.safeParse(City, record)
  if (!city.success) return undefined
  const [state, timezone] = [stateOf(city.output), city.output.location?.time_zone ?? null]
  return state === null && timezone === null ? undefined : { state, timezone }
}

/** An address in the form that the reader expects: dotted, also for IPv4 inside IPv6. Undefined when the text is no address. */
const plainAddress = (text: string): string | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.process(text).toString() : undefined

const cannotRead = (error: unknown): undefined => {
  logger.error('The database of IP addresses cannot be read: no lead is located by its address.', { error: loggable(error) })
}

const open = (file: string): Reader<CityResponse> | undefined => {
  try {
    return file === '' ? undefined : new Reader<CityResponse>(readFileSync(file))
  } catch (error) {
    return cannotRead(error)
  }
}

/** Looks places up in a file, which is read with the first address. Finds nothing when no file is named or it cannot be read. */
export const placesIn = (file: string): ((address: string) => IpPlace | undefined) => {
  let database: Reader<CityResponse> | undefined
  let isOpened = false
  return (text) => {
    const address = plainAddress(text)
    if (address === undefined) return undefined
    if (!isOpened) [database, isOpened] = [open(file), true]
    // In a database of IPv4 addresses, an IPv6 address would lead to an unrelated network.
    if (!database || (database.metadata.ipVersion === 4 && address.includes(':'))) return undefined
    try {
      return placeOf(database.get(address))
    } catch (error) {
      database = cannotRead(error)
      return undefined
    }
  }
}

let places: ReturnType<typeof placesIn> | undefined

/** The place of an address, from the deployment's database; undefined without a database, or when the text is no address. */
export const placeOfIp = (address: string): IpPlace | undefined => {
  places ??= placesIn(setting('IP_DATABASE'))
  return places(address)
}
