import type { ComponentChildren } from 'preact'
import { STATE_NAMES } from '#shared/location/rules/state.ts'
import type { LeadTypePage } from '../../client/operations.ts'
import type { Query } from '../hooks/use-query.ts'
import { Field } from '../parts/field.tsx'
import { Options } from '../parts/options.tsx'
import { texts } from '../texts.ts'
import { LeadTypeField } from './lead-type-field.tsx'
import { type OwnField, OwnFields, type OwnValues } from './own-fields.tsx'

const { create } = texts

export type LeadField = keyof typeof create.fields

/** The entries of a form: for the fields of every lead, and for those of the lead type. */
export interface LeadEntries {
  readonly values: Readonly<Partial<Record<LeadField, string>>>
  readonly own: OwnValues
}

export const NO_ENTRIES: LeadEntries = { values: {}, own: {} }

/** The fields of the form, in its order, with the keyboard that a phone shows. The state is chosen. */
const INPUTS = [
  ['phone_number', 'tel'],
  ['email', 'email'],
  ['first_name', 'text'],
  ['last_name', 'text'],
  ['us_state', 'choice'],
  ['zip', 'text'],
  ['timezone', 'text'],
  ['lead_source', 'text'],
  ['external_id', 'text'],
] as const satisfies readonly (readonly [LeadField, string])[]

const STATES = Object.fromEntries(STATE_NAMES.map(([code, name = code]) => [code, name]))

const HINTS: ReadonlyMap<string, string> = new Map(Object.entries(create.hints))

export const hintOf = (name: LeadField): string | undefined => HINTS.get(name)

/** Fields that the service keeps as metadata of the lead, besides those of its lead type. */
export const METADATA = ['first_name', 'last_name', 'zip', 'timezone'] as const satisfies readonly LeadField[]

export const isMetadataField = (name: string): boolean => METADATA.some((field) => field === name)

interface LeadFieldsProps {
  /** What the inputs show. */
  readonly shown: LeadEntries
  readonly ownFields: readonly OwnField[]
  readonly types: Query<LeadTypePage>
  /** Text of the choice of no lead type. */
  readonly noType: string
  readonly errorsOf: (id: string) => readonly string[]
  /** Called with the phone number when the focus leaves its input. */
  readonly onPhone?: (phone: string) => void
  /** What is known of the value of a field, by the id of the field. */
  readonly noteOf: (id: string) => ComponentChildren
  readonly onChange: (name: LeadField, value: string) => void
  readonly onOwnChange: (key: string, value: string) => void
  /** Inputs that come before the lead type. */
  readonly children?: ComponentChildren
}

/** The inputs for the data of a lead. */
export const LeadFields = (props: LeadFieldsProps) => {
  const { shown, ownFields, types, noType, errorsOf, onPhone, noteOf, onChange, onOwnChange, children } = props
  return (
    <>
      {INPUTS.map(([name, keyboard]) => (
        <Field key={name} id={name} label={create.fields[name]} hint={hintOf(name)} errors={errorsOf(name)} note={noteOf(name)}>
          {(attributes) =>
            keyboard === 'choice' ? (
              <select
                {...attributes}
                value={shown.values[name] ?? ''}
                onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
              >
                <option value="">{create.noState}</option>
                <Options texts={STATES} />
              </select>
            ) : (
              <input
                {...attributes}
                inputMode={keyboard}
                autocomplete="off"
                required={name === 'phone_number'}
                value={shown.values[name] ?? ''}
                onInput={({ currentTarget }) => onChange(name, currentTarget.value)}
                onBlur={({ currentTarget }) => name === 'phone_number' && onPhone?.(currentTarget.value)}
              />
            )
          }
        </Field>
      ))}
      {children}
      <LeadTypeField
        types={types}
        empty={noType}
        value={shown.values.lead_type ?? ''}
        errors={errorsOf('lead_type')}
        note={noteOf('lead_type')}
        onChange={(value) => onChange('lead_type', value)}
      />
      <OwnFields fields={ownFields} values={shown.own} errorsOf={errorsOf} noteOf={noteOf} onChange={onOwnChange} />
    </>
  )
}
