import { useState } from 'preact/hooks'
import { useAction } from '../hooks/use-action.ts'
import { usePresentFailure } from '../hooks/use-present-failure.ts'
import { Field } from '../parts/field.tsx'
import { errorsOfField, FormFailure } from '../parts/form-failure.tsx'
import { texts } from '../texts.ts'
import { NumberOnList } from './number-on-list.tsx'

const { stops } = texts

const PHONE = 'phone_number'

/** Looks up a phone number on the do-not-contact list. The number is never part of the place in the console. */
export const NumberLookUp = () => {
  const [value, setValue] = useState('')
  const [isMissing, setMissing] = useState(false)
  /** The number as the service writes it. */
  const [found, setFound] = useState<string>()
  const { run, isBusy, ...action } = useAction(
    (client, phone_number: string) => client.request('GET /api/dnc/', { query: { phone_number } }),
    ({ data }) => setFound(data.phone_number),
  )
  const failure = usePresentFailure(action.failure, { [PHONE]: value.trim() })

  const submit = (event: Event): void => {
    event.preventDefault()
    if (isBusy) return
    const given = value.trim()
    setMissing(given === '')
    setFound(undefined)
    if (given !== '') void run(given)
  }

  return (
    <section aria-labelledby="list">
      <h2 id="list">{stops.list}</h2>
      <p>{stops.about}</p>
      <form onSubmit={submit} noValidate>
        <Field
          id={PHONE}
          label={stops.number}
          hint={stops.hint}
          errors={isMissing && value.trim() === '' ? [stops.missing] : errorsOfField(failure, PHONE)}
        >
          {(attributes) => (
            <input
              {...attributes}
              inputMode="tel"
              autocomplete="off"
              value={value}
              onInput={({ currentTarget }) => setValue(currentTarget.value)}
            />
          )}
        </Field>
        <FormFailure failure={failure} shown={[PHONE]} />
        <div class="buttons">
          <button type="submit" class="main" aria-disabled={isBusy}>
            {stops.submit}
          </button>
        </div>
      </form>
      {found !== undefined && <NumberOnList key={found} phone={found} />}
    </section>
  )
}
