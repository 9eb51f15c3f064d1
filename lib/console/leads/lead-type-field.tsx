import type { ComponentChildren } from 'preact'
import type { LeadTypePage } from '../../client/operations.ts'
import type { Query } from '../hooks/use-query.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Field } from '../parts/field.tsx'
import { texts } from '../texts.ts'

interface LeadTypeFieldProps {
  readonly types: Query<LeadTypePage>
  readonly value: string
  /** Text of the empty choice. */
  readonly empty: string
  readonly errors?: readonly string[]
  readonly note?: ComponentChildren
  readonly onChange: (value: string) => void
}

/** Chooses one of the lead types of the user, or none. */
export const LeadTypeField = ({ types: { data, failure, reload }, value, empty, errors = [], note, onChange }: LeadTypeFieldProps) => {
  const hint = data && data.count > data.results.length ? texts.create.someTypes(data.results.length) : undefined
  return (
    <>
      <Field id="lead_type" label={texts.create.fields.lead_type} hint={hint} errors={errors} note={note}>
        {(attributes) => (
          <select {...attributes} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
            <option value="">{empty}</option>
            {value !== '' && !data?.results.some(({ id }) => `${id}` === value) && <option value={value}>{value}</option>}
            {data?.results.map(({ id, name }) => (
              <option key={id} value={`${id}`}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <FailureNote failure={failure} onRetry={reload} />
    </>
  )
}
