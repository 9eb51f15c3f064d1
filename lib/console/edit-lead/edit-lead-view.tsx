import { useEffect, useState } from 'preact/hooks'
import { nameOfState } from '#shared/location/rules/state.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Lead, UpdateLead } from '../../client/operations.ts'
import { announce } from '../announce.ts'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { useLeadTypes } from '../hooks/use-lead-types.ts'
import { useQuery } from '../hooks/use-query.ts'
import { DiscardButton, KeptNote } from '../leads/kept-entries.tsx'
import { useLeadErrors } from '../leads/lead-errors.ts'
import { LeadFields } from '../leads/lead-fields.tsx'
import { ownFieldsOf } from '../leads/own-fields.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { FormFailure } from '../parts/form-failure.tsx'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { warningInWords } from '../parts/warning-in-words.ts'
import { texts } from '../texts.ts'
import { changedMeanwhile, editedFields, entriesOf, type LeadEdits, type LeadPart, shownStops, withEntry } from './lead-changes.ts'
import { useLeadDraft } from './lead-draft.ts'

const { edit } = texts

const POLL_EVERY = 6000

/** Says that an entry replaces a value that was not there when the entry began. */
const Changed = ({ to }: { readonly to: string }) => (
  <span class="error" role="status">
    {to === '' ? (
      edit.removed
    ) : (
      <>
        {edit.changedTo} <QuotedText text={to} />.
      </>
    )}{' '}
    {edit.replaces}
  </span>
)

/** The update to send, and the changes by others that the form showed. */
interface SaveOrder {
  readonly body: UpdateLead
  readonly seen: ReadonlyMap<string, string>
  /** The edits of the update. */
  readonly of: LeadEdits
}

/** The form for the data of a lead. The lead may change while somebody edits it: only what the user has entered differs from it. */
const EditForm = ({ lead: polled }: { readonly lead: Lead }) => {
  const [lead, setLead] = useState(polled)
  useEffect(() => setLead(polled), [polled])
  const { edits, isEdited, ...draft } = useLeadDraft(lead.id)
  const { entered } = edits
  const types = useLeadTypes()
  const leadType = entered.values.lead_type ?? `${lead.lead_type}`
  const ownFields = ownFieldsOf(types.data?.results.find(({ id }) => `${id}` === leadType))
  const present = entriesOf(lead, ownFields)
  const shown = { values: { ...present.values, ...entered.values }, own: { ...present.own, ...entered.own } }
  const hidden = Object.keys(entered.own).filter((key) => !ownFields.some((field) => field.key === key))
  const changed = changedMeanwhile(edits, present, ownFields)

  const action = useConfirmed(
    async (client, { body, seen }: SaveOrder) => {
      const path = { id: lead.id }
      const { data: latest } = await client.request('GET /api/leads/{id}/', { path })
      const isChanged = [...changedMeanwhile(edits, entriesOf(latest, ownFields), ownFields)].some(([id, text]) => seen.get(id) !== text)
      const isOtherStop = JSON.stringify(shownStops(latest)) !== JSON.stringify(shownStops(body))
      if (isChanged || (isOtherStop && body.phone_number !== undefined)) {
        setLead(latest)
        close()
        throw new Error(edit.notSaved)
      }
      return client.request('PATCH /api/leads/{id}/', { path, body })
    },
    ({ warnings }, { tell }, { of }) => {
      draft.saved(of)
      tell([edit.done, ...warnings.map(warningInWords)].join(' '), `leads/${lead.id}`)
    },
  )
  const { run, ask, asked, close, clear, isBusy, failure } = action
  const { errorsOf, mayBeSent, ...errors } = useLeadErrors({ failure, entered, shown, ownFields })
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!mayBeSent()) return
    const changes = editedFields(entered, ownFields)
    const stops = shownStops(lead)
    if (!changes) announce(edit.unchanged)
    else if (changes.phone_number !== undefined && Object.keys(stops).length > 0)
      ask({ body: { ...changes, ...stops }, seen: changed, of: edits })
    else void run({ body: changes, seen: changed, of: edits })
  }
  const set = (part: LeadPart, name: string, text: string): void => draft.change((before) => withEntry(before, part, name, text, present))
  const discard = (): void => {
    draft.discard()
    clear()
  }
  const inWords = (id: string, text: string): string => {
    if (id === 'us_state') return nameOfState(text)
    return (id === 'lead_type' && types.data?.results.find((type) => `${type.id}` === text)?.name) || text
  }
  const noteOf = (id: string) => {
    const text = changed.get(id)
    return text !== undefined && <Changed to={inWords(id, text)} />
  }

  return (
    <form class="sheet" onSubmit={submit} noValidate>
      <KeptNote isEdited={isEdited} />
      <LeadFields
        {...{ shown, ownFields, types, errorsOf, noteOf }}
        noType={edit.noType}
        onChange={(name, text) => set('values', name, text)}
        onOwnChange={(key, text) => set('own', key, text)}
      />
      <div class="wide">
        {hidden.length > 0 && (
          <p class="note" role="status">
            {edit.hidden} <QuotedText text={hidden.join(', ')} />
          </p>
        )}
        <FormFailure {...errors} />
        <div class="buttons">
          <button type="submit" class="main" aria-disabled={isBusy}>
            {edit.submit}
          </button>
          <DiscardButton {...{ isEdited, isBusy }} discarded={edit.discarded} onDiscard={discard} />
        </div>
      </div>
      {asked && (
        <Confirm question={edit.stopQuestion} about={edit.stopAbout} verb={edit.stopVerb} of={action} missing={texts.failures.noLead} />
      )}
    </form>
  )
}

/** Corrects the data of a lead. */
export const EditLeadView = ({ id }: { readonly id: number }) => {
  const lead = useQuery('lead', (client, signal) => client.request('GET /api/leads/{id}/', { path: { id }, signal }), POLL_EVERY)
  const { discard } = useLeadDraft(id)
  // An erased lead has no form in which its entries could be discarded.
  const isGone = lead.failure instanceof ApiError && lead.failure.status === 404
  useEffect(() => {
    if (isGone) discard()
  }, [isGone])
  return (
    <>
      <Heading text={edit.title(id)} />
      <p>
        {edit.about} <a href={`#/leads/${id}`}>{edit.back}</a>
      </p>
      <QueryNote query={lead} missing={texts.failures.noLead} />
      {lead.data && <EditForm lead={lead.data} />}
    </>
  )
}
