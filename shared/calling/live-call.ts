import { getUser } from '../accounts/user-store.ts'
import { fitsIds, TOO_LARGE_IDS } from '../http/fields/external-ids.ts'
import type { UpdateLead } from '../leads/api/update-lead.ts'
import { getOwnLead } from '../leads/lead-store.ts'
import { updateLead } from '../leads/update-lead.ts'
import { nextSequence } from '../platform/sequence.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { invalid, notFound } from '../platform/values/errors.ts'
import { getPhone, phonePk } from '../stops/phone-store.ts'
import type { UpdateLiveCall } from './api/update-live-call.ts'
import type { Call } from './call.ts'
import { callsOf, getCall } from './call-store.ts'
import { identifyCall } from './finish/call-notes.ts'
import { isLive } from './rules/call-status.ts'
import { callsHolding } from './rules/calls-holding.ts'

const MAX_TRIES = 20

const callTo = async (owner: number, phoneNumber: string): Promise<Call | undefined> => {
  const user = await getUser(owner)
  const phone = user && (await getPhone(await phonePk(user.dnc_group, phoneNumber)))
  const calls = phone ? await Promise.all(callsHolding(phone).map(getCall)) : []
  return calls.find((call) => call?.owner === owner && isLive(call))
}

const callWith = async (owner: number, lead: number): Promise<Call | undefined> =>
  (await getOwnLead(owner, lead)) && (await callsOf(lead)).find(isLive)

/** The call in progress that a client names. Another's is like a missing one. @throws ServiceError `not_found` */
const namedCall = async (owner: number, { call_id, lead_id, phone_number }: UpdateLiveCall): Promise<Call> => {
  const found = call_id ? getCall(call_id) : lead_id ? callWith(owner, lead_id) : callTo(owner, phone_number ?? '')
  const call = await found
  const isNamed = call?.owner === owner && (lead_id ?? call.lead) === call.lead && (phone_number ?? call.phone_number) === call.phone_number
  if (!isNamed || !isLive(call)) throw notFound()
  return call
}

/** @throws ServiceError of validation when there are too many of them together */
const idsOf = (call: Call, { external_id, external_ids }: UpdateLiveCall): Call['external_ids'] => {
  const news = { ...external_ids, ...(external_id && { external_id }) }
  if (Object.keys(news).length === 0) return call.external_ids
  const ids = Object.fromEntries([...Object.entries(call.external_ids ?? {}), ...Object.entries(news)])
  if (!fitsIds(ids)) throw invalid({ external_ids: [TOO_LARGE_IDS] })
  return ids
}

const MOST = 2 ** 31 - 1

/** The representative's id as leads hold it, when it is such a number. */
const leadRepresentative = (id: string | number | null | undefined): number | undefined => {
  const number = typeof id === 'string' && /^[1-9]\d*$/.test(id) ? Number(id) : id
  return typeof number === 'number' && number >= 1 && number <= MOST ? number : undefined
}

const patchOf = ({ representative }: UpdateLiveCall): UpdateLead => {
  const id = leadRepresentative(representative?.id)
  return id === undefined ? {} : { representative: id }
}

/** Also when the call has ended since it was found: then the update came a moment before. */
const identify = (found: Call, update: UpdateLiveCall): Promise<Call> =>
  retryRaces({ tries: MAX_TRIES, lost: 'A call changed while it was being updated,' }, async (before) => {
    const call = before === 0 ? found : await getCall(found.call_id)
    if (!call) throw notFound()
    return identifyCall(call, {
      representative: update.representative ?? call.representative,
      external_ids: idsOf(call, update),
    })
  })

/**
 * Notes on a call under way who has picked it up and what other systems call it. The lead learns the representative alone, and first: a
 * repeat after a crash may find the call over. The external ids are the call's; the lead keeps its own.
 * @throws ServiceError `not_found`, or of validation
 */
export const updateLiveCall = async (owner: number, update: UpdateLiveCall): Promise<Call> => {
  const call = await namedCall(owner, update)
  // Refused before anything is written.
  idsOf(call, update)
  await updateLead(owner, call.lead, patchOf(update), { cause: 'WEBHOOK', accepted: nextSequence(), atOnce: true })
  return identify(call, update)
}
