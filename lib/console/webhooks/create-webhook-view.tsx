import { useState } from 'preact/hooks'
import type { ApiAnswer } from '../../client/client.ts'
import type { NewSubscription, Trigger } from '../../client/operations.ts'
import { type Origin, useAction } from '../hooks/use-action.ts'
import { usePresentFailure } from '../hooks/use-present-failure.ts'
import { useRepeatKey } from '../hooks/use-repeat-key.ts'
import { Field } from '../parts/field.tsx'
import { errorsOfField, FormFailure } from '../parts/form-failure.tsx'
import { Heading } from '../parts/heading.tsx'
import { warningInWords } from '../parts/warning-in-words.ts'
import { open } from '../route.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { CheckBoxes } from './check-boxes.tsx'
import { ConditionField } from './condition-field.tsx'
import { type Draft, draft, EMPTY_DRAFT, triedCondition } from './draft.ts'
import { TriggerMeaning } from './trigger-meaning.tsx'

const { webhooks } = texts

/** By the names of the API. */
const bodyOf = ({ url, trigger, condition }: Draft) => ({ url: url.trim(), trigger, filter_condition: condition })

const isTrigger = (text: string): text is Trigger => Object.hasOwn(texts.triggers, text)

const TRIGGERS = Object.keys(texts.triggers).filter(isTrigger)

/** The form for a new subscription. */
export const CreateWebhookView = () => {
  const entries = useStore(draft)
  const { url, trigger, condition } = entries
  const sendOnce = useRepeatKey()
  const [tried, setTried] = useState<string>()
  const done = ({ data, warnings }: ApiAnswer<NewSubscription>, { tell }: Origin, sent: Draft): void => {
    // The user may have begun the next one.
    if (draft.get() === sent) draft.set(EMPTY_DRAFT)
    tell([webhooks.created, ...warnings.map(warningInWords)].join(' '), `webhooks/${data.id}`)
  }
  const { run, isBusy, ...action } = useAction((client, sent: Draft) => {
    const body = bodyOf(sent)
    return sendOnce(body, (idempotencyKey) => client.request('POST /api/webhooks/', { body, idempotencyKey }))
  }, done)
  const failure = usePresentFailure(action.failure, bodyOf(entries))
  const refused = errorsOfField(failure, 'trigger')

  const change = (part: Partial<Draft>): void => draft.set({ ...draft.get(), ...part })
  const submit = (event: Event): void => {
    event.preventDefault()
    if (isBusy) return
    // The API counts positions without the blanks around the condition.
    change({ condition: condition.trim() })
    setTried(condition.trim())
    void run(draft.get())
  }
  return (
    <>
      <Heading text={webhooks.create} />
      <p>{webhooks.createAbout}</p>
      <form class="sheet" onSubmit={submit} noValidate>
        <div class="wide">
          <Field id="url" label={webhooks.url} hint={webhooks.urlHint} errors={errorsOfField(failure, 'url')}>
            {(attributes) => (
              <input
                {...attributes}
                inputMode="url"
                autocomplete="off"
                spellcheck={false}
                required
                value={url}
                onInput={({ currentTarget }) => change({ url: currentTarget.value })}
              />
            )}
          </Field>
        </div>
        <CheckBoxes
          id="trigger"
          legend={webhooks.triggers}
          texts={texts.triggers}
          about={(one) => <TriggerMeaning of={one} />}
          values={TRIGGERS}
          chosen={trigger}
          errors={refused.length > 0 && trigger.length === 0 ? [webhooks.noTrigger] : refused}
          onChange={(chosen) => change({ trigger: chosen })}
        />
        <ConditionField
          value={condition}
          errors={errorsOfField(failure, 'filter_condition')}
          tried={tried}
          onChange={(value) => change({ condition: value })}
        />
        <div class="wide">
          <FormFailure failure={failure} shown={['url', 'trigger', 'filter_condition']} />
          <div class="buttons">
            <button type="submit" class="main" aria-disabled={isBusy}>
              {webhooks.submit}
            </button>
            <button
              type="button"
              onClick={() => {
                triedCondition.set(condition)
                open('webhooks/filter')
              }}
            >
              {webhooks.try}
            </button>
          </div>
        </div>
      </form>
    </>
  )
}
