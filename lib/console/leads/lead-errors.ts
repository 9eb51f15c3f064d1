import { useState } from 'preact/hooks'
import { readZip } from '#shared/location/rules/zip.ts'
import { readZones } from '#shared/location/rules/zone-name.ts'
import { errorsOfField } from '../parts/form-failure.tsx'
import { texts } from '../texts.ts'
import { type LeadEntries, METADATA } from './lead-fields.tsx'
import { type OwnField, ownId, wrongIds } from './own-fields.tsx'

const { create } = texts

const SHOWN = Object.keys(create.fields)

/** Fields that the service reads by these rules. It also stores a text that it cannot use. */
const PLACES = [
  ['zip', readZip],
  ['timezone', readZones],
] as const

const unusedIn = ({ values }: LeadEntries): readonly (keyof typeof create.unused)[] =>
  PLACES.flatMap(([name, read]) => (read(values[name]).remark === undefined ? [] : [name]))

/** An attempt of the user to send the form. */
interface Attempt {
  readonly entered: LeadEntries
  /** The ids of the fields for which the form was not sent. */
  readonly stoppedBy: readonly string[]
}

interface Sent {
  readonly failure: unknown
  /** What the user has entered. */
  readonly entered: LeadEntries
  readonly ownFields: readonly OwnField[]
}

/**
 * Where a form shows its mistakes and the errors of the API. The service limits all metadata of a lead together, and names no key of it. So
 * the longest text that the user has entered shows this error.
 */
export const useLeadErrors = ({ failure, entered, ownFields }: Sent) => {
  const [attempt, setAttempt] = useState<Attempt>()
  const { values, own } = entered
  const lengths = [
    ...METADATA.map((name) => ({ id: name, length: values[name]?.length ?? 0 })),
    ...ownFields.map(({ key }, place) => ({ id: ownId(place), length: own[key]?.length ?? 0 })),
  ].filter(({ length }) => length > 0)
  const [longest] = lengths.toSorted((one, other) => other.length - one.length)
  const ofMetadata = errorsOfField(failure, 'metadata')
  const wrong = wrongIds(ownFields, own)
  const unused = unusedIn(entered)
  return {
    /** Whether the form may be sent. A text that the service would not use is sent when the user presses the button again. */
    mayBeSent: (): boolean => {
      const stoppedBy = [...wrong, ...unused.filter((name) => values[name] !== attempt?.entered.values[name])]
      setAttempt({ entered, stoppedBy })
      return stoppedBy.length === 0
    },
    /** By the id of the field in the page. */
    errorsOf: (id: string): readonly string[] => [
      ...(attempt && wrong.includes(id) ? [create.noNumber] : []),
      ...unused.filter((name) => name === id && attempt?.stoppedBy.includes(name)).map((name) => create.unused[name]),
      ...errorsOfField(failure, id),
      ...(id === longest?.id && ofMetadata.length > 0 ? [...ofMetadata, create.shorten] : []),
    ],
    /** The names of all errors of the API that the fields show. */
    shown: longest ? [...SHOWN, 'metadata'] : SHOWN,
    /** Set if the last attempt was not sent. */
    stopped: attempt && attempt.stoppedBy.length > 0 ? attempt : undefined,
  }
}
