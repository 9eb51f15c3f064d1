import { useState } from 'preact/hooks'
import { nameOfState, statesWithClock, zonesOfState } from '#shared/location/rules/state.ts'
import { readZip } from '#shared/location/rules/zip.ts'
import { readZones } from '#shared/location/rules/zone-name.ts'
import { usePresentFailure } from '../hooks/use-present-failure.ts'
import { errorsOfField } from '../parts/form-failure.tsx'
import { texts } from '../texts.ts'
import { type LeadEntries, METADATA } from './lead-fields.tsx'
import { type OwnField, ownId, wrongIds } from './own-fields.tsx'

const { create } = texts

const SHOWN = Object.keys(create.fields)

type Values = LeadEntries['values']

/** A probable mistake. The service would store it. */
interface Doubt {
  readonly id: 'zip' | 'timezone'
  readonly text: string
  /** The values that it is about. */
  readonly about: string
}

const ZIP_DIGITS = 5

const doubtAboutZip = (zip: string): Doubt[] => {
  const { value, remark } = readZip(zip)
  if (remark !== undefined) return [{ id: 'zip', text: create.doubts.zip, about: zip }]
  const isShort = value !== undefined && zip.trim().length < ZIP_DIGITS
  return isShort ? [{ id: 'zip', text: create.doubts.shortZip(value.zip), about: zip }] : []
}

const doubtAboutZone = (timezone: string): Doubt[] =>
  readZones(timezone).remark === undefined ? [] : [{ id: 'timezone', text: create.doubts.timezone, about: timezone }]

const doubtAboutPlace = (timezone: string, state: string): Doubt[] => {
  const states = statesWithClock(readZones(timezone).value ?? [])
  const isStray = states.length > 0 && zonesOfState(state).length > 0 && !states.includes(state)
  return isStray ? [{ id: 'timezone', text: create.doubts.strayZone(nameOfState(state)), about: `${timezone} ${state}` }] : []
}

/**
 * Only entries are in doubt, not what a lead has already.
 * @param entered the entries of the user
 * @param shown the values of all inputs
 */
const doubtsIn = (entered: Values, { zip = '', timezone = '', us_state = '' }: Values): readonly Doubt[] => [
  ...(entered.zip === undefined ? [] : doubtAboutZip(zip)),
  ...(entered.timezone === undefined ? [] : doubtAboutZone(timezone)),
  ...(entered.timezone === undefined && entered.us_state === undefined ? [] : doubtAboutPlace(timezone, us_state)),
]

/** Looser than the service. Some numbers are written with letters. */
const PHONE = /^([^\p{L}\p{N}]*[\p{L}\p{N}]){7}/u

/** Whether the service refuses the form in any case. Then it also says what else is wrong, and what is in doubt is not stored. */
const isSureToFail = (shown: Values, { email = '' }: Values): boolean =>
  !PHONE.test(shown.phone_number ?? '') || (email.trim() !== '' && !email.includes('@'))

/** The values that the errors of the API are about. */
const namedIn = ({ values, own }: LeadEntries) => ({
  ...values,
  metadata: JSON.stringify([METADATA.map((name) => values[name] ?? ''), own]),
})

/** An attempt of the user to send the form. */
interface Attempt {
  readonly doubts: readonly Doubt[]
  /** Ids of the fields whose texts were no numbers. */
  readonly wrong: readonly string[]
  readonly isStopped: boolean
}

interface Sent {
  readonly failure: unknown
  /** The entries of the user. */
  readonly entered: LeadEntries
  /** The values of all inputs. */
  readonly shown: LeadEntries
  readonly ownFields: readonly OwnField[]
}

/**
 * Where a form shows its mistakes and the errors of the API. The service limits all metadata of a lead together, and names no key of it. So
 * the longest text that the user has entered shows this error.
 */
export const useLeadErrors = ({ failure: latest, entered, shown, ownFields }: Sent) => {
  const failure = usePresentFailure(latest, namedIn(entered))
  const [attempt, setAttempt] = useState<Attempt>()
  const { values, own } = entered
  const lengths = [
    ...METADATA.map((name) => ({ id: name, length: values[name]?.length ?? 0 })),
    ...ownFields.map(({ key }, place) => ({ id: ownId(place), length: own[key]?.length ?? 0 })),
  ].filter(({ length }) => length > 0)
  const [longest] = lengths.toSorted((one, other) => other.length - one.length)
  const ofMetadata = errorsOfField(failure, 'metadata')
  const allWrong = wrongIds(ownFields, own)
  const wrong = allWrong.filter((id) => attempt?.wrong.includes(id))
  const doubts = doubtsIn(values, shown.values)
  const isKnown = ({ about }: Doubt): boolean => attempt?.doubts.some((known) => known.about === about) === true
  const known = doubts.filter(isKnown)
  return {
    /** Whether the form may be sent. What is in doubt is sent when the user presses the button again. */
    mayBeSent: (): boolean => {
      const isStopped = allWrong.length > 0 || !(doubts.every(isKnown) || isSureToFail(shown.values, values))
      setAttempt({ doubts, wrong: allWrong, isStopped })
      return !isStopped
    },
    /** By the id of the field in the page. */
    errorsOf: (id: string): readonly string[] => [
      ...(wrong.includes(id) ? [create.noNumber] : []),
      ...known.filter((doubt) => doubt.id === id).map(({ text }) => text),
      ...errorsOfField(failure, id),
      ...(id === longest?.id && ofMetadata.length > 0 ? [...ofMetadata, create.shorten] : []),
    ],
    /** The names of all errors of the API that the fields show. */
    shown: longest ? [...SHOWN, 'metadata'] : SHOWN,
    /** The failure, without the errors of fields whose values have changed since. */
    failure,
    /** Set if the last attempt was not sent, until everything that stopped it is changed. */
    stopped: attempt?.isStopped && known.length + wrong.length > 0 ? attempt : undefined,
  }
}
