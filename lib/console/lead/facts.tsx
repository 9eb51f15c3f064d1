import type { ComponentChildren } from 'preact'
import type { Explanation, Lead } from '../../client/operations.ts'
import { ALL_CALLS, type CallsAsked, callsPlace } from '../calls/period.ts'
import { LeadTypeName } from '../leads/lead-type-name.tsx'
import { hasAreaCodeZones } from '../leads/lead-zones.ts'
import { StatusBadge } from '../leads/status-badge.tsx'
import { BothTimes } from '../parts/both-times.tsx'
import { Fact } from '../parts/fact.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { nameOf } from './name-of.ts'

const { lead: words } = texts
const { labels, dnc, metadata, callsOfType, callsOfSource } = words

interface CallsLinkProps {
  readonly asked: Partial<CallsAsked>
  readonly children: ComponentChildren
}

const CallsLink = ({ asked, children }: CallsLinkProps) => (
  <a class="second" href={`#/${callsPlace({ ...ALL_CALLS, ...asked })}`}>
    {children}
  </a>
)

const textOf = (value: string | number | null): string => (value === null || value === '' ? texts.none : `${value}`)

const stopsOf = ({ call_dnc, sms_dnc }: Lead): string =>
  [...(call_dnc ? [dnc.call] : []), ...(sms_dnc ? [dnc.sms] : [])].join(', ') || dnc.none

/** Long metadata scrolls in a box of its own. */
const Metadata = ({ lead }: { readonly lead: Lead }) => (
  <details>
    <summary>{metadata}</summary>
    <textarea readOnly rows={12} aria-label={metadata} dir="auto" value={JSON.stringify(lead.metadata, null, 2)} />
  </details>
)

interface FactsProps {
  readonly lead: Lead
  readonly zones: readonly string[]
  /** Where the first of the zones come from. Null: nothing is known. */
  readonly zoneSource: Explanation['timezone_source']
  /** Whether no call is made until somebody changes something. */
  readonly isStopped: boolean
}

/** The data of a lead, with times by its clock and by the viewer's. */
export const Facts = ({ lead, zones, zoneSource, isStopped }: FactsProps) => {
  const { status_detail: detail, status_reason: reason, next_call_time: next, next_call_time_reason: why } = lead
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{words.facts}</h2>
      <p>
        <a href={`#/leads/${lead.id}/edit`}>{texts.edit.link}</a>
      </p>
      <dl class="facts">
        <Fact label={labels.status}>
          <StatusBadge lead={lead} />{' '}
          <span class="second">
            {detail !== null && words.statusDetails[detail]} {reason !== null && words.statusReasons[reason]}
          </span>
        </Fact>
        <Fact label={labels.nextCall}>
          {next === null ? texts.leads.noNextCall : <BothTimes at={next} zones={zones} />}{' '}
          {why !== null && <span class="second">{texts.timeline.plannedCalls[why]}</span>}
          {next !== null && isStopped && <span class="second">{texts.verdict.stopped}</span>}
        </Fact>
        <Fact label={labels.phone}>{lead.phone_number}</Fact>
        <Fact label={labels.name}>
          <QuotedText text={textOf(nameOf(lead))} />
        </Fact>
        <Fact label={labels.email}>
          <QuotedText text={textOf(lead.email)} />
        </Fact>
        <Fact label={labels.state}>{textOf(lead.us_state)}</Fact>
        <Fact label={labels.zones}>
          {zones.join(', ') || texts.none}
          {zoneSource !== null && <span class="second">{words.zoneSources[zoneSource]}</span>}
          {zoneSource !== null && zoneSource !== 'ip' && hasAreaCodeZones(lead) && <span class="second">{words.areaCodeZones}</span>}
        </Fact>
        <Fact label={labels.leadType}>
          {lead.lead_type === null ? texts.none : <LeadTypeName id={lead.lead_type} />}
          {lead.lead_type !== null && <CallsLink asked={{ leadType: `${lead.lead_type}` }}>{callsOfType}</CallsLink>}
        </Fact>
        <Fact label={labels.external}>
          <QuotedText text={textOf(lead.external_id)} />
        </Fact>
        <Fact label={labels.source}>
          <QuotedText text={textOf(lead.lead_source)} />
          {lead.lead_source && <CallsLink asked={{ source: lead.lead_source }}>{callsOfSource}</CallsLink>}
        </Fact>
        <Fact label={labels.created}>
          <BothTimes at={lead.created_time} zones={zones} />
        </Fact>
        <Fact label={labels.modified}>
          <BothTimes at={lead.modified_time} zones={zones} />
        </Fact>
        <Fact label={labels.dnc}>{stopsOf(lead)}</Fact>
      </dl>
      <Metadata lead={lead} />
    </section>
  )
}
