/** The agent that calls nobody. */
export const SIMULATOR = 'simulator'

const FIELDS = [
  { key: 'first_name', label: 'First name', helpText: 'How the agent addresses the person.', type: 'string', required: false },
  { key: 'last_name', label: 'Last name', helpText: '', type: 'string', required: false },
  { key: 'timezone', label: 'Time zone', helpText: 'Where the person is, for example America/New_York.', type: 'string', required: false },
]

export const demoLeadType = (id: number, owner: number) => ({
  id,
  owner,
  name: 'Demo campaign',
  active: true,
  agent: SIMULATOR,
  international: false,
  script: 'Greet the person and ask whether now is a good time to talk.',
  lead_metadata_fields: FIELDS,
  cadence: { delays: [1800, 7200, 14400, 86400], delays_by_outcome: {}, max_attempts: 8, transfer_unavailable_delay: 1800 },
  reengagement: { enabled: true, min_days: 30, match: 'phone_and_email' as const },
  transfer: { mode: 'warm' as const, destinations: ['+12125550199'], hold_limit_seconds: 180 },
  escalation: null,
})

/**
 * The lead type of leads that were created while an agent served the demo. It names no invented number, and takes over no earlier lead.
 * @param agent the simulator, unless that agent serves the demo now
 */
export const servedLeadType = (id: number, owner: number, key: string, agent: string) => {
  const { reengagement, ...demo } = demoLeadType(id, owner)
  // Its leads are people's own phones, which may be abroad.
  const international = true
  return {
    ...demo,
    name: `Demo campaign of ${key}`,
    agent,
    international,
    reengagement: { ...reengagement, enabled: false },
    transfer: null,
  }
}
