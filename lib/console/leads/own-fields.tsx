import type { ComponentChildren } from 'preact'
import type { LeadType } from '../../client/operations.ts'
import { Field } from '../parts/field.tsx'
import { texts } from '../texts.ts'

const { create } = texts

export type OwnField = LeadType['lead_metadata_fields'][number]

/** By the key of the field. */
export type OwnValues = Readonly<Record<string, string>>

/** The metadata fields of a lead type. Those that the form has for every lead are left out. */
export const ownFieldsOf = (type: LeadType | undefined): readonly OwnField[] =>
  type?.lead_metadata_fields.filter(({ key }) => !Object.hasOwn(create.fields, key)) ?? []

const isNumber = ({ type }: OwnField): boolean => type === 'number'

const textOf = ({ key }: OwnField, values: OwnValues): string => values[key]?.trim() ?? ''

/** Whether the text of a field cannot be sent as its type. */
const isWrong = (field: OwnField, values: OwnValues): boolean =>
  isNumber(field) && !/^(-?\d{1,15}(\.\d{1,15})?)?$/.test(textOf(field, values))

/** A key may have blanks, which an id of the page cannot have. */
export const ownId = (place: number): string => `own-${place}`

/** The ids of the fields whose text cannot be sent. */
export const wrongIds = (fields: readonly OwnField[], values: OwnValues): readonly string[] =>
  fields.flatMap((field, place) => (isWrong(field, values) ? [ownId(place)] : []))

/** What is sent of a field. Null: it is empty. */
export const ownValue = (field: OwnField, values: OwnValues): string | number | null => {
  const text = textOf(field, values)
  if (text === '') return null
  return isNumber(field) ? Number(text) : text
}

interface OwnFieldsProps {
  readonly fields: readonly OwnField[]
  readonly values: OwnValues
  /** By the id of the field. */
  readonly errorsOf: (id: string) => readonly string[]
  readonly noteOf: (id: string) => ComponentChildren
  readonly onChange: (key: string, value: string) => void
}

/** The inputs for the metadata of a lead type. */
export const OwnFields = ({ fields, values, errorsOf, noteOf, onChange }: OwnFieldsProps) => (
  <>
    {fields.map((field, place) => (
      <Field
        id={ownId(place)}
        key={field.key}
        label={field.label || field.key}
        hint={[field.helpText, field.required ? create.expected : ''].filter(Boolean).join(' ')}
        errors={errorsOf(ownId(place))}
        note={noteOf(ownId(place))}
      >
        {(attributes) => (
          <input
            {...attributes}
            inputMode={isNumber(field) ? 'decimal' : 'text'}
            dir="auto"
            autocomplete="off"
            value={values[field.key] ?? ''}
            onInput={({ currentTarget }) => onChange(field.key, currentTarget.value)}
          />
        )}
      </Field>
    ))}
  </>
)
