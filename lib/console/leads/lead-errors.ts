import { useState } from 'preact/hooks'
import { nameOfState, statesWithClock, zonesOfState } from '#shared/location/rules/state.ts'
import { readZip } from '#shared/location/rules/zip.ts'
import { readZones } from '#shared/location/rules/zone-name.ts'
import { errorsOfField } from '../parts/form-failure.tsx'
import { texts } from '../texts.ts'
import { type LeadEntries, METADATA } from './lead-fields.tsx'
import { type OwnField, ownId, wrongIds } from './own-fields.tsx'

const { create } = texts

const SHOWN = Object.keys(create.fields)

type Values = LeadEntries['values']

/** Something that is probably a mistake, although the service would store it. */
interface Doubt {
  readonly id: 'zip' | 'timezone'
  readonly text: string
  /** The values that it is about. */
  readonly about: string
}

const SHORTEST_ZIP = 5

/**
 * @param entered what the user has entered
 * @param shown what the form shows: of a lead that is edited, also what it has
 */
const doubtsIn = (entered: Values, shown: Values): readonly Doubt[] => {
  const { zip = '', timezone = '', us_state: state = '' } = shown
  const [readZips, zones] = [readZip(zip), readZones(timezone)]
  const states = statesWithClock(zones.value ?? [])
  const found: Doubt[] = []
  if (entered.zip !== undefined) {
    if (readZips.remark !== undefined) found.push({ id: 'zip', text: create.doubts.zip, about: zip })
    else if (readZips.value && zip.trim().length < SHORTEST_ZIP)
      found.push({ id: 'zip', text: create.doubts.shortZip(readZips.value.zip), about: zip })
  }
  if (entered.timezone !== undefined && zones.remark !== undefined)
    found.push({ id: 'timezone', text: create.doubts.timezone, about: timezone })
  const isStray = states.length > 0 && zonesOfState(state).length > 0 && !states.includes(state)
  if (isStray && (entered.timezone !== undefined || entered.us_state !== undefined))
    found.push({ id: 'timezone', text: create.doubts.strayZone(nameOfState(state)), about: `${timezone} ${state}` })
  return found
}

/** An attempt of the user to send the form. */
interface Attempt {
  readonly doubts: readonly Doubt[]
  readonly isStopped: boolean
}

interface Sent {
  readonly failure: unknown
  /** What the user has entered. */
  readonly entered: LeadEntries
  /** What the inputs show. */
  readonly shown: LeadEntries
  readonly ownFields: readonly OwnField[]
}

/**
 * Where a form shows its mistakes and the errors of the API. The service limits all metadata of a lead together, and names no key of it. So
 * the longest text that the user has entered shows this error.
 */
export const useLeadErrors = ({ failure, entered, shown, ownFields }: Sent) => {
  const [attempt, setAttempt] = useState<Attempt>()
  const { values, own } = entered
  const lengths = [
    ...METADATA.map((name) => ({ id: name, length: values[name]?.length ?? 0 })),
    ...ownFields.map(({ key }, place) => ({ id: ownId(place), length: own[key]?.length ?? 0 })),
  ].filter(({ length }) => length > 0)
  const [longest] = lengths.toSorted((one, other) => other.length - one.length)
  const ofMetadata = errorsOfField(failure, 'metadata')
  const wrong = wrongIds(ownFields, own)
  const doubts = doubtsIn(values, shown.values)
  const isKnown = ({ about }: Doubt): boolean => attempt?.doubts.some((known) => known.about === about) === true
  return {
    /** Whether the form may be sent. What is in doubt is sent when the user presses the button again. */
    mayBeSent: (): boolean => {
      const isStopped = wrong.length > 0 || !doubts.every(isKnown)
      setAttempt({ doubts, isStopped })
      return !isStopped
    },
    /** By the id of the field in the page. */
    errorsOf: (id: string): readonly string[] => [
      ...(attempt && wrong.includes(id) ? [create.noNumber] : []),
      ...(attempt?.isStopped ? doubts.filter((doubt) => doubt.id === id && isKnown(doubt)).map(({ text }) => text) : []),
      ...errorsOfField(failure, id),
      ...(id === longest?.id && ofMetadata.length > 0 ? [...ofMetadata, create.shorten] : []),
    ],
    /** The names of all errors of the API that the fields show. */
    shown: longest ? [...SHOWN, 'metadata'] : SHOWN,
    /** Set if the last attempt was not sent. */
    stopped: attempt?.isStopped ? attempt : undefined,
  }
}
