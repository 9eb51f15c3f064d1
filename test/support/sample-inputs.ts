import { TRUSTED } from '#shared/agents/rules/breaker.ts'
import type { GateInputs } from '#shared/calling/rules/verdict.ts'
import type { Lead } from '#shared/leads/lead.ts'
import type { Lines } from '#shared/stops/compliance.ts'
import { NOON, sampleLead, sampleLeadType, samplePolicy } from './samples.ts'

type Changes = Partial<Omit<GateInputs, 'lead'>> & { readonly lead?: Partial<Lead> }

const NO_CALLS: Lines = {
  calls: new Set(),
  fence: 0,
  groups: 1,
  paused: false,
  paused_upto: 0,
  waiting_time: null,
  fill_time: null,
  refused: 0,
  sent_until: null,
}
const OWNER = {
  id: 1,
  name: 'Owner',
  is_staff: false,
  default_lead_type: 4,
  dnc_group: '1',
  lines: 2,
  calling_hours: null,
  webhook_secrets: [],
  older_secret_until: null,
  rotation: null,
}

/** Inputs of the gates: 11:00 on a Friday, an ordinary New York lead whose call is due. */
export const sampleInputs = ({ lead, lines = NO_CALLS, owner = OWNER, ...changes }: Changes = {}): GateInputs => ({
  now: NOON,
  lead: sampleLead(lead),
  owner,
  leadType: sampleLeadType(),
  phone: {
    call_dnc: false,
    sms_dnc: false,
    call_listed: false,
    sms_listed: false,
    call_revoked: null,
    current_call: null,
    stop_records: new Set(),
    other_calls: new Set(),
    attempts: [],
    version: 0,
  },
  phoneHash: 'hash',
  isLitigator: false,
  consent: null,
  registries: [],
  reassigned: [],
  hasAgent: true,
  agentAddress: 'https://agent.example.com/',
  breaker: TRUSTED,
  lines,
  seenLines: { group: 0, most: owner.lines, inUse: lines.calls.size, limit: owner.lines },
  policy: samplePolicy(),
  ...changes,
})
