import type { ComponentChildren } from 'preact'
import { errorInWords } from '../parts/failure-note.tsx'

interface CheckBoxesProps<V extends string> {
  readonly id: string
  readonly legend: string
  /** The label of each box, by its value. */
  readonly texts: Readonly<Record<V, string>>
  /** What a value means. */
  readonly about: (value: V) => ComponentChildren
  readonly values: readonly V[]
  readonly chosen: readonly V[]
  readonly errors?: readonly string[]
  readonly onChange: (chosen: readonly V[]) => void
}

/** Boxes of which several may be checked. Errors stand beside them, and screen readers read them with the group. */
export const CheckBoxes = <V extends string>({ id, legend, texts, about, values, chosen, errors = [], onChange }: CheckBoxesProps<V>) => {
  const toggle = (value: V): void => onChange(values.filter((one) => (one === value) !== chosen.includes(one)))
  return (
    <fieldset class={errors.length > 0 ? 'wide invalid' : 'wide'} aria-describedby={`${id}-errors`}>
      <legend>{legend}</legend>
      <div class="boxes">
        {values.map((value) => (
          <div key={value}>
            <label>
              <input
                type="checkbox"
                value={value}
                checked={chosen.includes(value)}
                aria-describedby={`${id}-${value}`}
                onChange={() => toggle(value)}
              />{' '}
              {texts[value]}
            </label>
            <span id={`${id}-${value}`} class="hint">
              {about(value)}
            </span>
          </div>
        ))}
      </div>
      <span id={`${id}-errors`} class="error">
        {errors.map(errorInWords).join(' ')}
      </span>
    </fieldset>
  )
}
