import { useState } from 'preact/hooks'
import type { Call, CallPage } from '../../client/operations.ts'
import { useDebounced } from '../hooks/use-debounced.ts'
import { useQuery } from '../hooks/use-query.ts'
import { useRefresh } from '../hooks/use-refresh.ts'
import { pageIn } from '../page-in.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Heading } from '../parts/heading.tsx'
import { FirstPage, Pager } from '../parts/pager.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { texts } from '../texts.ts'
import { Actions } from './actions.tsx'
import { Facts } from './facts.tsx'
import { Gates } from './gates.tsx'
import { Schedule, type Wish } from './schedule.tsx'
import { TimeSlider } from './time-slider.tsx'
import { Timeline } from './timeline.tsx'
import { lastingRefusals } from './verdict.ts'
import { VerdictBanner } from './verdict-banner.tsx'

/** Of the lead itself: nearly each change of anything else shows in it, so it is read most often. */
const POLL_EVERY = 4000
const POLL_CALL_EVERY = 6000
const POLL_OTHERS_EVERY = 12_000
/** What is true of a later time changes rarely, and stops and consents of a person are rare. */
const POLL_RARE_EVERY = 60_000
const CALLS = 20
const CONSENTS = 20
const PAUSE_OF_SLIDER = 300

const OVER: readonly Call['call_status'][] = ['COMPLETED', 'FAILED', 'UNKNOWN']

/** The steps of a call do not change its lead. */
const pollCallsEvery = ({ results }: CallPage): number =>
  results.every(({ call_status }) => OVER.includes(call_status)) ? POLL_OTHERS_EVERY : POLL_CALL_EVERY

/** Everything about one lead: its data, what happened to it, and when its phone may ring. */
export const LeadView = ({ id, query: place }: { readonly id: number; readonly query: URLSearchParams }) => {
  const path = { id }
  const [at, setAt] = useState<number>()
  const [wish, setWish] = useState<Wish>()
  const asked = useDebounced(at, PAUSE_OF_SLIDER)
  const query = { ...(asked !== undefined && { at: new Date(asked).toISOString() }), disclosures: true }
  const pollGates = asked === undefined ? POLL_OTHERS_EVERY : POLL_RARE_EVERY

  const lead = useQuery('lead', (client, signal) => client.request('GET /api/leads/{id}/', { path, signal }), POLL_EVERY)
  const gates = useQuery(
    `${asked}`,
    async (client, signal) => {
      const answer = await client.request('GET /api/leads/{id}/explain/', { path, query, signal })
      return { ...answer, data: { asked, explanation: answer.data } }
    },
    pollGates,
  )
  // The answer about another time stays until the new one comes.
  const explained = gates.data
  const times = useQuery(
    'times',
    (client, signal) => client.request('GET /api/leads/{id}/calling-times/', { path, signal }),
    POLL_RARE_EVERY,
  )
  const calls = useQuery(
    `calls ${place}`,
    (client, signal) => client.request('GET /api/leads/{id}/calls/', { path, query: { page_size: CALLS, ...pageIn(place) }, signal }),
    pollCallsEvery,
  )

  const { modified_time, next_call_time, phone_number = '' } = lead.data ?? {}
  const stops = useQuery(
    phone_number,
    lead.data && ((client, signal) => client.request('GET /api/dnc/', { query: { phone_number, history: true }, signal })),
    POLL_RARE_EVERY,
  )
  const consents = useQuery(
    phone_number,
    lead.data && ((client, signal) => client.request('GET /api/consents/', { query: { phone_number, page_size: CONSENTS }, signal })),
    POLL_RARE_EVERY,
  )

  // Each of the three may be the first to show a change. A forgotten page reads the lead and its calls rarely, but not the checks. What is
  // read first comes first: the banner and the data must not contradict each other for long.
  const isAboutNow = explained !== undefined && explained.asked === undefined
  useRefresh(lead.data && `${modified_time} ${next_call_time}`, gates, calls)
  useRefresh(isAboutNow ? explained.explanation.gates.map(({ gate, passed }) => `${gate} ${passed}`).join() : undefined, lead, calls)
  useRefresh(calls.data?.results.map(({ call_id, call_status, outcome }) => `${call_id} ${call_status} ${outcome}`).join(), lead, gates)
  const state = lead.data && isAboutNow ? [modified_time, ...lastingRefusals(explained.explanation)].join() : undefined
  useRefresh(state, times, stops, consents)

  const reload = (): void => {
    for (const part of [lead, gates, times, calls, stops, consents]) part.reload()
  }
  const zones = times.data?.timezones ?? []
  const list = { at: `leads/${id}`, query: place, heading: 'timeline' }
  const isOld = gates.isLoading || explained?.asked !== at

  return (
    <>
      <Heading text={texts.lead.title(`${id}`)} />
      <QueryNote query={{ ...lead, reload }} missing={texts.failures.noLead} />
      {lead.failure === undefined && lead.data && (
        <>
          {explained && <VerdictBanner explanation={explained.explanation} isNow={isAboutNow} isLoading={isOld} />}
          <div class="columns">
            <div>
              <Facts
                lead={lead.data}
                zones={zones}
                zoneSource={explained?.explanation.timezone_source ?? null}
                isStopped={times.data?.blocked_by != null}
              />
              <Actions lead={lead.data} onDone={reload} />
              {times.data && <Schedule id={id} times={times.data} wish={wish} onDone={reload} />}
              <Timeline lead={lead.data} {...{ calls, stops, consents, zones }} firstPage={<FirstPage {...list} />} />
              {calls.data && <Pager page={calls.data} {...list} />}
            </div>
            <div>
              {times.data && <TimeSlider times={times.data} at={at} onChange={setAt} onUse={(time) => setWish({ time })} />}
              <FailureNote failure={times.failure ?? gates.failure} missing={texts.failures.noLead} onRetry={reload} />
              {explained && <Gates explanation={explained.explanation} isLoading={isOld} />}
            </div>
          </div>
        </>
      )}
    </>
  )
}
