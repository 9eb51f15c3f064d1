import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../client/api-error.ts'
import type { ApiAnswer, LeadOutreachClient } from '../../client/client.ts'
import { useQuery, whenTurn } from '../hooks/use-query.ts'
import { zonesOfLead } from '../leads/lead-zones.ts'

type Zones = ReadonlyMap<number, readonly string[]>

interface Found {
  readonly id: number
  readonly zones: readonly string[]
}

/** A lead that was erased in the meantime has no zones. */
const zonesIfMissing = (id: number, failure: unknown): ApiAnswer<Found> => {
  if (!(failure instanceof ApiError && failure.status === 404)) throw failure
  return { status: failure.status, data: { id, zones: [] }, warnings: [], headers: new Headers() }
}

const readZones = async (client: LeadOutreachClient, id: number, signal: AbortSignal): Promise<ApiAnswer<Found>> => {
  await whenTurn(signal)
  try {
    const answer = await client.request('GET /api/leads/{id}/', { path: { id }, signal })
    return { ...answer, data: { id, zones: zonesOfLead(answer.data) } }
  } catch (failure) {
    return zonesIfMissing(id, failure)
  }
}

/** The time zones of leads that are shown without their data. Each lead is read once while it is shown, one after the other. */
export const useZones = (shown: readonly number[]): Zones => {
  const [known, setKnown] = useState<Zones>(new Map())
  const next = shown.find((id) => !known.has(id))
  const { data } = useQuery(`${next}`, next === undefined ? undefined : (client, signal) => readZones(client, next, signal))
  useEffect(() => {
    if (data) setKnown((before) => new Map([...[...before].filter(([id]) => shown.includes(id)), [data.id, data.zones]]))
  }, [data])
  return known
}
