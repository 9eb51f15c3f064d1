import { useState } from 'preact/hooks'
import type { ApiAnswer } from '../../client/client.ts'
import type { Lead } from '../../client/operations.ts'
import { createDraft } from '../drafts.ts'
import { type Origin, useAction } from '../hooks/use-action.ts'
import { useLeadTypes } from '../hooks/use-lead-types.ts'
import { useRepeatKey } from '../hooks/use-repeat-key.ts'
import { Field } from '../parts/field.tsx'
import { FormFailure } from '../parts/form-failure.tsx'
import { Heading } from '../parts/heading.tsx'
import { warningInWords } from '../parts/warning-in-words.ts'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { instantOf, LAST_CLOCK, ownZone } from '../times.ts'
import { ExistingLeads } from './existing-leads.tsx'
import { DiscardButton, KeptNote } from './kept-entries.tsx'
import { useLeadErrors } from './lead-errors.ts'
import { hintOf, type LeadEntries, type LeadField, LeadFields, NO_ENTRIES } from './lead-fields.tsx'
import { mayBePhone } from './look-up.tsx'
import { type OwnField, ownFieldsOf, ownValue } from './own-fields.tsx'

const { create } = texts

const START = 'call_schedule_start_time'

const sent = (name: string, value: string): unknown => {
  if (name === 'lead_type') return Number(value)
  return name === START ? new Date(instantOf(value, ownZone())).toISOString() : value
}

/** Without the fields that are empty. The phone number is sent in any case: the service says that it is missing. */
const bodyOf = ({ values, own }: LeadEntries, ownFields: readonly OwnField[]) => {
  const metadata = ownFields.map((field) => [field.key, ownValue(field, own)] as const).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === '' ? [] : [[name, sent(name, value)]]))),
    phone_number: values.phone_number ?? '',
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
  }
}

const isEmpty = ({ values, own }: LeadEntries): boolean => [...Object.values(values), ...Object.values(own)].every((text) => text === '')

/** The lead that is being entered. */
const leadDraft = createDraft(NO_ENTRIES, isEmpty)

/** The form for a new lead. */
export const CreateLeadView = () => {
  const entries = useStore(leadDraft)
  const setEntries = (change: (before: LeadEntries) => LeadEntries): void => leadDraft.set(change(leadDraft.get()))
  const { values } = entries
  const isEdited = !isEmpty(entries)
  const [phone, setPhone] = useState('')
  const sendOnce = useRepeatKey()
  const types = useLeadTypes()
  const { user } = useStore(session)
  const leadType = values.lead_type ? Number(values.lead_type) : user?.default_lead_type
  const ownFields = ownFieldsOf(types.data?.results.find(({ id }) => id === leadType))

  const done = ({ data, status, warnings }: ApiAnswer<Lead>, { tell }: Origin, sent: LeadEntries): void => {
    if (leadDraft.get() === sent) leadDraft.set(NO_ENTRIES)
    const text = [status === 201 ? create.done(data.id) : create.merged(data.id), ...warnings.map(warningInWords)].join(' ')
    tell(text, `leads/${data.id}`)
  }
  const { run, isBusy, failure, clear } = useAction((client, sent: LeadEntries) => {
    const body = bodyOf(sent, ownFields)
    return sendOnce(body, (idempotencyKey) => client.request('POST /api/leads/', { body, idempotencyKey }))
  }, done)

  const { errorsOf, mayBeSent, ...errors } = useLeadErrors({ failure, entered: entries, shown: entries, ownFields })
  const start = values[START] ?? ''
  const isStartWrong = start !== '' && Number.isNaN(instantOf(start, ownZone()))
  const submit = (event: Event): void => {
    event.preventDefault()
    if (mayBeSent() && !isStartWrong) void run(entries)
  }
  const discard = (): void => {
    leadDraft.set(NO_ENTRIES)
    setPhone('')
    clear()
  }
  const set = (name: LeadField, value: string): void => setEntries((before) => ({ ...before, values: { ...before.values, [name]: value } }))

  return (
    <>
      <Heading text={create.title} />
      <p>{create.about}</p>
      <form class="sheet" onSubmit={submit} noValidate>
        <KeptNote isEdited={isEdited} />
        <LeadFields
          {...{ ownFields, types, errorsOf }}
          shown={entries}
          noType={create.defaultType}
          onChange={set}
          onPhone={(entered) => setPhone(entered.trim())}
          noteOf={(id) => id === 'phone_number' && mayBePhone(phone) && <ExistingLeads key={phone} phone={phone} />}
          onOwnChange={(key, value) => setEntries((before) => ({ ...before, own: { ...before.own, [key]: value } }))}
        >
          <Field
            id={START}
            label={create.fields[START]}
            hint={hintOf(START)}
            errors={isStartWrong ? [texts.actions.scheduleMissing] : errorsOf(START)}
          >
            {(attributes) => (
              <input
                {...attributes}
                type="datetime-local"
                max={LAST_CLOCK}
                value={start}
                onInput={({ currentTarget }) => set(START, currentTarget.value)}
              />
            )}
          </Field>
        </LeadFields>
        <div class="wide">
          <FormFailure {...errors} />
          <div class="buttons">
            <button type="submit" class="main" aria-disabled={isBusy}>
              {create.submit}
            </button>
            <DiscardButton {...{ isEdited, isBusy }} discarded={create.discarded} onDiscard={discard} />
          </div>
        </div>
      </form>
    </>
  )
}
