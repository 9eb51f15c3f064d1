interface CheckBoxesProps {
  readonly id: string
  readonly legend: string
  /** The label of each box, by its value. */
  readonly texts: Readonly<Record<string, string>>
  readonly chosen: readonly string[]
  readonly errors?: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Boxes of which several may be checked. Errors stand beside them, and screen readers read them with the group. */
export const CheckBoxes = ({ id, legend, texts, chosen, errors = [], onChange }: CheckBoxesProps) => {
  const toggle = (value: string): void => onChange(Object.keys(texts).filter((one) => (one === value) !== chosen.includes(one)))
  return (
    <fieldset class={errors.length > 0 ? 'wide invalid' : 'wide'} aria-describedby={`${id}-errors`}>
      <legend>{legend}</legend>
      <div class="boxes">
        {Object.entries(texts).map(([value, text]) => (
          <label key={value}>
            <input type="checkbox" value={value} checked={chosen.includes(value)} onChange={() => toggle(value)} /> {text}
          </label>
        ))}
      </div>
      <span id={`${id}-errors`} class="error">
        {errors.join(' ')}
      </span>
    </fieldset>
  )
}
