import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { type CityResponse, Reader } from 'mmdb-lib'
import * as v from 'valibot'
import type { IpPlace } from '../calling/rules/policy.ts'
import { setting } from '../platform/environment.ts'
import { loggable, logger } from '../platform/logger.ts'

/** What databases of cities in the GeoIP2 layout tell of an address, as far as it is asked for. */
const City = v.object({
  country: v.optional(v.object({ iso_code: v.optional(v.string()) })),
  subdivisions: v.optional(v.array(v.object({ iso_code: v.optional(v.string()) }))),
  location: v.optional(v.object({ time_zone: v.optional(v.string()) })),
})

/** Territories that such databases have as countries. */
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

/** An address in the form that the reader walks by: dotted also where IPv6 wraps it. Undefined for what is none. */
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

/** The places of a file, which is read when the first address is asked for; of none when it is not named or cannot be read. */
export const placesIn = (file: string): ((address: string) => IpPlace | undefined) => {
  let database: Reader<CityResponse> | undefined
  let isOpened = false
  return (text) => {
    const address = plainAddress(text)
    if (address === undefined) return undefined
    if (!isOpened) [database, isOpened] = [open(file), true]
    // A tree of addresses with four bytes has other networks where a longer address leads to.
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

/** Where an address is, as the deployment's database tells; undefined without one, and for what is no address. */
export const placeOfIp = (address: string): IpPlace | undefined => {
  places ??= placesIn(setting('IP_DATABASE'))
  return places(address)
}
