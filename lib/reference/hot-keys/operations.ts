import { RELEASED } from '#shared/backlog/release/parts.ts'

const MINUTE_OF_SECONDS = 60

/**
 * The operations of the target scale, with their rate in the busiest second. Each happens once a second for one lead, and its events go to
 * each subscription of its owner.
 */
export const OPERATIONS = [
  { name: 'create', about: 'lead created in a request of its own', rate: 10, rateOfLead: 1 },
  { name: 'bulkCreate', about: 'lead created in bulk', rate: 100, rateOfLead: 1 },
  { name: 'row', about: 'row of a file that creates a lead', rate: 300, rateOfLead: 1 },
  { name: 'update', about: 'lead updated', rate: 10, rateOfLead: 1 },
  { name: 'bulkUpdate', about: 'lead updated in bulk', rate: 300, rateOfLead: 1 },
  { name: 'stop', about: 'phone entered on the do-not-contact list', rate: 10, rateOfLead: 1 },
  { name: 'call', about: 'call with the reports of its answer, end and outcome', rate: 500, rateOfLead: 1 },
  { name: 'fill', about: 'fill of 100 of 10,000 lines', rate: 6, rateOfLead: 1 },
  { name: 'inbound', about: 'call of a person who calls back', rate: 10, rateOfLead: 1 },
  { name: 'hold', about: 'due lead that its agent holds', rate: 50, rateOfLead: 1 },
  { name: 'release', about: 'held lead that is planned again', rate: RELEASED, rateOfLead: 1 },
  { name: 'sweep', about: "sweep with the look at an owner's due leads", rate: 1 / MINUTE_OF_SECONDS, rateOfLead: 1 },
  { name: 'listeners', about: 'look for changes of 100 subscriptions, for a batch of events', rate: 100, rateOfLead: 1 },
  { name: 'delivery', about: 'event that is delivered', rate: 1000, rateOfLead: 100 },
  { name: 'failedDelivery', about: 'event whose destination fails', rate: 100, rateOfLead: 10 },
  { name: 'retry', about: 'retry that fails', rate: 900, rateOfLead: 10 },
  { name: 'ask', about: 'look of a waiting webhook whether its dead destination may be tried', rate: 6000, rateOfLead: 60 },
  { name: 'page', about: 'page of 50 leads', rate: 10, rateOfLead: 1 },
  { name: 'filteredPage', about: 'page of 50 leads of one status', rate: 10, rateOfLead: 1 },
  { name: 'pause', about: 'pause and its end', rate: 1 / MINUTE_OF_SECONDS, rateOfLead: 1 },
] as const

export type Operation = (typeof OPERATIONS)[number]['name']
