import { useState } from 'preact/hooks'
import type { ApiWarning } from '../../client/api-error.ts'
import { useAction } from '../hooks/use-action.ts'
import { Field } from '../parts/field.tsx'
import { errorsOfField, FormFailure } from '../parts/form-failure.tsx'
import { Heading } from '../parts/heading.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { warningInWords } from '../parts/warning-in-words.ts'
import { open } from '../route.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { ConditionField } from './condition-field.tsx'
import { draft, triedCondition } from './draft.ts'

const { filter } = texts

const EXAMPLE = JSON.stringify({ status: 'OPEN', us_state: 'NY', metadata: { age: '42' } }, null, 2)

interface Trial {
  readonly condition: string
  readonly payload: string
}

interface Verdict {
  readonly matches: boolean
  readonly warnings: readonly ApiWarning[]
}

/** The object in a text, or a sentence that says what is wrong. */
const objectIn = (text: string): { readonly [name: string]: unknown } | string => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : filter.noObject
  } catch (error) {
    return filter.noJson(error instanceof Error ? error.message : '')
  }
}

const Outcome = ({ verdict: { matches, warnings } }: { readonly verdict: Verdict }) => (
  <>
    <p class={matches ? 'verdict good' : 'verdict bad'}>{matches ? filter.matches : filter.differs}</p>
    {warnings.map((one) => (
      <p key={`${one.code} ${one.field}`} class="note">
        <QuotedText text={warningInWords(one)} />
      </p>
    ))}
  </>
)

/** Tries a filter condition on a payload. Nothing is sent to a receiver. */
export const FilterView = () => {
  const condition = useStore(triedCondition)
  const [payload, setPayload] = useState(EXAMPLE)
  const [tried, setTried] = useState<Trial>()
  const [mistake, setMistake] = useState<string>()
  const [verdict, setVerdict] = useState<Verdict>()
  const action = useAction(
    (client, filter_condition: string, sample: Readonly<Record<string, unknown>>) =>
      client.request('POST /api/webhooks/check-filter/', { body: { filter_condition, payload: sample } }),
    ({ data, warnings }) => setVerdict({ matches: data.matches, warnings }),
  )
  // What was tried may have changed since, even before the answer came.
  const isCurrent = tried?.condition === condition && tried.payload === payload
  const failure = isCurrent ? action.failure : undefined

  const submit = (event: Event): void => {
    event.preventDefault()
    if (action.isBusy) return
    // The API counts positions without the blanks around the condition.
    const trial = { condition: condition.trim(), payload }
    triedCondition.set(trial.condition)
    setTried(trial)
    setVerdict(undefined)
    action.clear()
    const sample = objectIn(payload)
    setMistake(typeof sample === 'string' ? sample : undefined)
    if (typeof sample !== 'string') void action.run(trial.condition, sample)
  }
  return (
    <>
      <Heading text={filter.title} />
      <p>{filter.about}</p>
      <form class="sheet" onSubmit={submit} noValidate>
        <ConditionField
          value={condition}
          errors={errorsOfField(failure, 'filter_condition')}
          tried={tried?.condition}
          onChange={triedCondition.set}
        />
        <div class="wide">
          <Field
            id="payload"
            label={filter.payload}
            hint={filter.payloadHint}
            errors={isCurrent && mistake !== undefined ? [mistake] : errorsOfField(failure, 'payload')}
          >
            {(attributes) => (
              <textarea
                {...attributes}
                rows={8}
                dir="ltr"
                spellcheck={false}
                autocomplete="off"
                value={payload}
                onInput={({ currentTarget }) => setPayload(currentTarget.value)}
              />
            )}
          </Field>
          <FormFailure failure={failure} shown={['filter_condition', 'payload']} />
          <div role="status">{isCurrent && verdict && <Outcome verdict={verdict} />}</div>
          <div class="buttons">
            <button type="submit" class="main" aria-disabled={action.isBusy}>
              {filter.submit}
            </button>
            <button
              type="button"
              onClick={() => {
                draft.set({ ...draft.get(), condition })
                open('webhooks/new')
              }}
            >
              {filter.use}
            </button>
          </div>
        </div>
      </form>
    </>
  )
}
