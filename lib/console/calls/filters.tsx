import { useEffect, useState } from 'preact/hooks'
import type { LeadTypePage } from '../../client/operations.ts'
import type { Query } from '../hooks/use-query.ts'
import { LeadTypeField } from '../leads/lead-type-field.tsx'
import { Field } from '../parts/field.tsx'
import { Options } from '../parts/options.tsx'
import { open } from '../route.ts'
import { texts } from '../texts.ts'
import { isOutcome, OUTCOMES } from './outcomes.ts'
import { type CallsAsked, callsPlace, mistakesIn, type PeriodChoice, shownPeriod } from './period.ts'

const { callsView: words } = texts

const isChoice = (text: string): text is PeriodChoice => Object.hasOwn(words.choices, text)

interface FiltersProps {
  readonly asked: CallsAsked
  /** By the clock of the service. */
  readonly today: string
  readonly sources: readonly string[]
  readonly types: Query<LeadTypePage>
}

interface DayFieldProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (day: string) => void
}

const DayField = ({ id, label, value, error, onChange }: DayFieldProps) => (
  <Field id={id} label={label} hint={words.utc} errors={error === undefined ? [] : [error]}>
    {(attributes) => <input {...attributes} type="date" value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />}
  </Field>
)

/** The days of a custom period. They apply together, because one alone may be no period. */
const Days = ({ asked }: Pick<FiltersProps, 'asked'>) => {
  const [from, setFrom] = useState(asked.from)
  const [to, setTo] = useState(asked.to)
  const [isSent, setSent] = useState(false)
  // A day of the chart leads here too.
  useEffect(() => {
    setFrom(asked.from)
    setTo(asked.to)
  }, [asked.from, asked.to])
  const mistakes = isSent ? mistakesIn(from, to) : {}

  const submit = (event: Event): void => {
    event.preventDefault()
    setSent(true)
    if (Object.keys(mistakesIn(from, to)).length === 0) open(callsPlace({ ...asked, from, to }))
  }

  return (
    <form class="look-up" aria-label={words.choices.custom} onSubmit={submit} noValidate>
      <DayField id="from" label={words.from} value={from} error={mistakes.from} onChange={setFrom} />
      <DayField id="to" label={words.to} value={to} error={mistakes.to} onChange={setTo} />
      <button type="submit" class="main">
        {words.show}
      </button>
    </form>
  )
}

/** Chooses the period, the lead type and the source. They are in the address, so that the browser goes back through them. */
export const Filters = ({ asked, today, sources, types }: FiltersProps) => {
  const names = [...new Set([...sources, asked.source])].filter((name) => name !== '')
  const choose = (change: Partial<CallsAsked>): void => open(callsPlace({ ...asked, ...change }))
  return (
    <section aria-label={words.filters}>
      <div class="look-up">
        <Field id="period" label={words.period}>
          {(attributes) => (
            <select
              {...attributes}
              value={asked.choice}
              onChange={({ currentTarget: { value } }) => isChoice(value) && choose({ choice: value, ...shownPeriod(asked, today) })}
            >
              <Options texts={words.choices} />
            </select>
          )}
        </Field>
        <LeadTypeField types={types} value={asked.leadType} empty={words.anyType} onChange={(leadType) => choose({ leadType })} />
        <Field id="source" label={texts.create.fields.lead_source}>
          {(attributes) => (
            <select {...attributes} value={asked.source} onChange={({ currentTarget }) => choose({ source: currentTarget.value })}>
              <option value="">{words.anySource}</option>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field id="outcome" label={words.outcome}>
          {(attributes) => (
            <select
              {...attributes}
              value={asked.outcome ?? ''}
              onChange={({ currentTarget: { value } }) => choose({ outcome: isOutcome(value) ? value : undefined })}
            >
              <option value="">{words.anyOutcome}</option>
              {OUTCOMES.map((outcome) => (
                <option key={outcome} value={outcome}>
                  {texts.outcomes[outcome]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {asked.choice === 'custom' && <Days asked={asked} />}
    </section>
  )
}
