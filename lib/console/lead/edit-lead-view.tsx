import { useState } from 'preact/hooks'
import type { Lead, UpdateLead } from '../../client/operations.ts'
import { announce } from '../announce.ts'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { useLeadTypes } from '../hooks/use-lead-types.ts'
import { useQuery } from '../hooks/use-query.ts'
import { type LeadEntries, type LeadField, LeadFields, leadErrors } from '../leads/lead-fields.tsx'
import { ownFieldsOf, wrongIds } from '../leads/own-fields.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { FormFailure } from '../parts/form-failure.tsx'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { warningInWords } from '../parts/warning-in-words.ts'
import { texts } from '../texts.ts'
import { editedFields, entriesOf, shownStops, withEntry } from './lead-changes.ts'

const { edit } = texts

const POLL_EVERY = 6000

/** The form for the data of a lead. The lead may change while somebody edits it: only what the user has entered differs from it. */
const EditForm = ({ lead }: { readonly lead: Lead }) => {
  const [entered, setEntered] = useState<LeadEntries>({ values: {}, own: {} })
  const [isSent, setSent] = useState(false)
  const types = useLeadTypes()
  const leadType = entered.values.lead_type ?? `${lead.lead_type}`
  const ownFields = ownFieldsOf(types.data?.results.find(({ id }) => `${id}` === leadType))
  const present = entriesOf(lead, ownFields)

  const action = useConfirmed(
    (client, body: UpdateLead) => client.request('PATCH /api/leads/{id}/', { path: { id: lead.id }, body }),
    ({ warnings }, { tell }) => tell([edit.done, ...warnings.map(warningInWords)].join(' '), `leads/${lead.id}`),
  )
  const { run, ask, asked, isBusy, failure } = action
  const submit = (event: Event): void => {
    event.preventDefault()
    setSent(true)
    if (wrongIds(ownFields, entered.own).length > 0) return
    const changes = editedFields(entered, ownFields)
    const stops = shownStops(lead)
    if (!changes) announce(edit.unchanged)
    else if (changes.phone_number !== undefined && Object.keys(stops).length > 0) ask({ ...changes, ...stops })
    else void run(changes)
  }
  const set = (name: LeadField, text: string): void =>
    setEntered(({ values, own }) => ({ values: withEntry(values, name, text, present.values[name] ?? ''), own }))
  const setOwn = (key: string, text: string): void =>
    setEntered(({ values, own }) => ({ values, own: withEntry(own, key, text, present.own[key] ?? '') }))

  const { errorsOf, shown } = leadErrors({ failure, entered, ownFields, isSent })
  return (
    <form class="sheet" onSubmit={submit} noValidate>
      <LeadFields
        {...{ ownFields, types, errorsOf }}
        shown={{ values: { ...present.values, ...entered.values }, own: { ...present.own, ...entered.own } }}
        noType={edit.noType}
        onChange={set}
        onOwnChange={setOwn}
      />
      <div class="wide">
        <FormFailure failure={failure} shown={shown} />
        <button type="submit" class="main" aria-disabled={isBusy}>
          {edit.submit}
        </button>
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
