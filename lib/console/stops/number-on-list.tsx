import { useState } from 'preact/hooks'
import type { DncLookUp } from '../../client/operations.ts'
import { announce } from '../announce.ts'
import { useConfirmed } from '../hooks/use-confirmed.ts'
import { useQuery } from '../hooks/use-query.ts'
import { Confirm } from '../parts/confirm.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Field } from '../parts/field.tsx'
import { useHeadingFocus } from '../parts/heading.tsx'
import { Options } from '../parts/options.tsx'
import { texts } from '../texts.ts'

const { stops } = texts

const POLL_EVERY = 10_000

type Channels = keyof typeof stops.channels

const isChannels = (text: string): text is Channels => Object.hasOwn(stops.channels, text)

type Flags = Pick<DncLookUp, 'call_dnc' | 'sms_dnc'>

const isAny = ({ call_dnc, sms_dnc }: Flags): boolean => call_dnc || sms_dnc

const inWords = ({ call_dnc: call, sms_dnc: sms }: Flags): string => {
  if (call && sms) return stops.both
  if (call) return stops.call
  return sms ? stops.sms : stops.neither
}

/** Stops of the number that came with a lead or a call. They are no entry on the list: an update of a lead can lift them. */
const fromLeads = ({ call_dnc, sms_dnc, effective }: DncLookUp): Flags => ({
  call_dnc: effective.call_dnc && !call_dnc,
  sms_dnc: effective.sms_dnc && !sms_dnc,
})

const Verdict = ({ found }: { readonly found: DncLookUp }) => {
  const ofLeads = fromLeads(found)
  const { effective } = found
  return (
    <>
      <p class={isAny(effective) ? 'verdict bad' : 'verdict good'}>{inWords(effective)}</p>
      {isAny(found) && <p>{stops.listed(inWords(found))}</p>}
      {isAny(ofLeads) && <p>{stops.ofLeads(inWords(ofLeads))}</p>}
      {!isAny(effective) && <p>{stops.unlisted}</p>}
    </>
  )
}

/** What the list says about a phone number, and the entry of the number. */
export const NumberOnList = ({ phone }: { readonly phone: string }) => {
  const [channels, setChannels] = useState<Channels>('both')
  const focusHeadingNext = useHeadingFocus()
  const { data, failure, reload } = useQuery(
    'entry',
    (client, signal) => client.request('GET /api/dnc/', { query: { phone_number: phone }, signal }),
    POLL_EVERY,
  )
  const enter = useConfirmed(
    (client, chosen: Channels) =>
      client.request('POST /api/dnc/', { body: { phone_number: phone, call_dnc: chosen !== 'sms', sms_dnc: chosen !== 'call' } }),
    ({ data: entry }) => {
      announce(stops.done(entry.phone_number, inWords(entry)))
      focusHeadingNext()
      reload()
    },
  )
  return (
    <div>
      <div role="status">
        <h3>{stops.entry(phone)}</h3>
        {data ? <Verdict found={data} /> : failure === undefined && <p>{texts.loading}</p>}
      </div>
      <FailureNote failure={failure} onRetry={reload} />
      {data && !(data.call_dnc && data.sms_dnc) && (
        <>
          <Field id="channels" label={stops.stop}>
            {(attributes) => (
              <select
                {...attributes}
                value={channels}
                onChange={({ currentTarget }) => isChannels(currentTarget.value) && setChannels(currentTarget.value)}
              >
                <Options texts={stops.channels} />
              </select>
            )}
          </Field>
          <button type="button" onClick={() => enter.ask(channels)}>
            {stops.enter}
          </button>
        </>
      )}
      {enter.asked && <Confirm question={stops.question(phone)} about={stops.meaning[enter.asked]} verb={stops.enter} of={enter} />}
    </div>
  )
}
