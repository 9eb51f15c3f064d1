import { getUser } from '../accounts/user-store.ts'
import { fitsIds, TOO_LARGE_IDS } from '../http/fields/external-ids.ts'
import type { UpdateLead } from '../leads/api/lead-request.ts'
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

const findNamed = async (owner: number, { call_id, lead_id, phone_number }: UpdateLiveCall): Promise<Call | undefined> => {
  if (call_id) return getCall(call_id)
  if (lead_id) return callWith(owner, lead_id)
  if (phone_number) return callTo(owner, phone_number)
  return undefined
}

/** The call in progress that a client names. Another owner's call counts as missing. @throws ServiceError `not_found` */
const namedCall = async (owner: number, named: UpdateLiveCall): Promise<Call> => {
  const { lead_id, phone_number } = named
  const call = await findNamed(owner, named)
  const isNamed = call?.owner === owner && (lead_id ?? call.lead) === call.lead && (phone_number ?? call.phone_number) === call.phone_number
  if (!isNamed || !isLive(call)) throw notFound()
  return call
}

/** @throws ServiceError of validation when the old and new ids together are too large */
const idsOf = (call: Call, { external_id, external_ids }: UpdateLiveCall): Call['external_ids'] => {
  const news = { ...external_ids, ...(external_id && { external_id }) }
  if (Object.keys(news).length === 0) return call.external_ids
  const ids = Object.fromEntries([...Object.entries(call.external_ids ?? {}), ...Object.entries(news)])
  if (!fitsIds(ids)) throw invalid({ external_ids: [TOO_LARGE_IDS] })
  return ids
}

const MOST = 2 ** 31 - 1

/** The representative's id as leads store it; undefined when it is not a positive 32-bit integer. */
const leadRepresentative = (id: string | number | null | undefined): number | undefined => {
  const number = typeof id === 'string' && /^[1-9]\d*$/.test(id) ? Number(id) : id
  return typeof number === 'number' && number >= 1 && number <= MOST ? number : undefined
}

const patchOf = ({ representative }: UpdateLiveCall): UpdateLead => {
  const id = leadRepresentative(representative?.id)
  return id === undefined ? {} : { representative: id }
}

/** Updates the call even if it has ended since it was found. The update then counts as a moment earlier. */
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
 * Records the representative and the external ids of a call in progress. The lead gets only the representative; it has external ids of
 * its own. The lead is written first, because a repeat after a crash may find the call over.
 * @throws ServiceError `not_found`, or of validation
 */
export const updateLiveCall = async (owner: number, update: UpdateLiveCall): Promise<Call> => {
  const call = await namedCall(owner, update)
  // Validates before the first write.
  idsOf(call, update)
  await updateLead(owner, call.lead, patchOf(update), { cause: 'WEBHOOK', accepted: nextSequence(), atOnce: true })
  return identify(call, update)
}
