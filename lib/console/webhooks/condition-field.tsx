import { Field } from '../parts/field.tsx'
import { texts } from '../texts.ts'
import { faultIn } from './fault.ts'

const { filter } = texts

const CONDITION_ID = 'filter_condition'

interface ConditionFieldProps {
  readonly value: string
  readonly errors: readonly string[]
  /** The condition that the errors are about. A mistake has a place only in this text. */
  readonly tried: string | undefined
  readonly onChange: (value: string) => void
}

/** A filter condition. A mistake is shown in its place in the text, with the column in words. */
export const ConditionField = ({ value, errors, tried, onChange }: ConditionFieldProps) => {
  const fault = value === tried ? faultIn(value, errors) : undefined
  const show = (): void => {
    const field = document.getElementById(CONDITION_ID)
    if (!fault || !(field instanceof HTMLTextAreaElement)) return
    field.focus()
    field.setSelectionRange(fault.start, fault.end)
  }
  return (
    <div class="wide">
      <Field id={CONDITION_ID} label={filter.condition} hint={filter.conditionHint} errors={errors}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            dir="ltr"
            spellcheck={false}
            autocomplete="off"
            value={value}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Field>
      {fault && (
        <div class="note failure">
          <p>{filter.at(fault.line, fault.column)}</p>
          <p class="fault">
            <code>
              {fault.before}
              <mark>{fault.mark}</mark>
              {fault.after}
            </code>
          </p>
          <button type="button" onClick={show}>
            {filter.goTo(fault.line, fault.column)}
          </button>
        </div>
      )}
    </div>
  )
}
