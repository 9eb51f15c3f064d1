import type { ComponentChildren } from 'preact'
import { errorInWords } from './failure-note.tsx'

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  readonly errors?: readonly string[] | undefined
  /** What is known of the value that was entered. Screen readers read it with the control, like the errors. */
  readonly note?: ComponentChildren
  /** The control. It gets the attributes that connect it to its label, hint, errors and note. */
  readonly children: (attributes: {
    readonly id: string
    readonly 'aria-describedby': string
    readonly 'aria-invalid': boolean
  }) => ComponentChildren
}

/** A form's control with its label. Its errors stand beside it, and screen readers read them with the control. */
export const Field = ({ id, label, hint, errors = [], note, children }: FieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children({ id, 'aria-describedby': `${id}-hint ${id}-errors ${id}-note`, 'aria-invalid': errors.length > 0 })}
    <span id={`${id}-hint`} class="hint">
      {hint}
    </span>
    <span id={`${id}-errors`} class="error">
      {errors.map(errorInWords).join(' ')}
    </span>
    <span id={`${id}-note`}>{note}</span>
  </div>
)
