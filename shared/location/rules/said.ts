import type { Lead } from '../../leads/lead.ts'
import type { PlaceReading } from './reading.ts'
import { readUsState } from './state.ts'
import { readZip, type Zip } from './zip.ts'
import { readZones } from './zone-name.ts'

/** Why the value of a field names no place. */
export interface PlaceRemark {
  readonly key: string
  readonly remark: string
}

/** The usable data of a lead on where it is, and remarks on the rest. */
export interface Said {
  /** From the explicit timezone: one zone, or all that an ambiguous name may mean. */
  readonly zones: readonly string[] | undefined
  readonly usState: string | undefined
  readonly state: string | undefined
  readonly propertyState: string | undefined
  readonly zip: Zip | undefined
  readonly propertyZip: Zip | undefined
  readonly ip: string | undefined
  readonly remarks: readonly PlaceRemark[]
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

const remarkOn = (key: string, { remark }: PlaceReading<unknown>): PlaceRemark[] => (remark === undefined ? [] : [{ key, remark }])

export const readSaid = ({ us_state, metadata }: Pick<Lead, 'us_state' | 'metadata'>): Said => {
  const zones = readZones(metadata['timezone'])
  // The metadata key counts only when the field is blank.
  const isFieldBlank = textOf(us_state) === undefined
  const usState = readUsState(isFieldBlank ? metadata['us_state'] : us_state)
  const state = readUsState(metadata['state'])
  const propertyState = readUsState(metadata['property_state'])
  const zip = readZip(metadata['zip'])
  const propertyZip = readZip(metadata['property_zip'])
  return {
    zones: zones.value,
    usState: usState.value,
    state: state.value,
    propertyState: propertyState.value,
    zip: zip.value,
    propertyZip: propertyZip.value,
    ip: textOf(metadata['ip_address']) ?? textOf(metadata['ip']),
    remarks: [
      ...remarkOn('timezone', zones),
      ...remarkOn(isFieldBlank ? 'metadata.us_state' : 'us_state', usState),
      ...remarkOn('state', state),
      ...remarkOn('property_state', propertyState),
      ...remarkOn('zip', zip),
      ...remarkOn('property_zip', propertyZip),
    ],
  }
}
