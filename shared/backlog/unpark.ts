import { getUser } from '../accounts/user-store.ts'
import { callingPolicy } from '../calling/calling-policy.ts'
import { getLines } from '../calling/line-store.ts'
import { releasedCall } from '../calling/rules/next-call.ts'
import type { CallingPolicy } from '../calling/rules/policy.ts'
import type { Lead } from '../leads/lead.ts'
import { changeLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { dueKey } from '../platform/keys.ts'
import { allInLanes } from '../platform/lanes.ts'
import { HOUR } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Lines } from '../stops/compliance.ts'
import { dispatchEachSoon, sendCallMessages, unparkMessage } from './dispatch.ts'
import { dueBetween } from './due.ts'
import { takeUnparkingTurn, unmarkUnparking } from './marks.ts'
import { readOrQuarantine } from './quarantine.ts'
import { isPaused } from './rules/holders.ts'
import { startWaiting } from './waiting.ts'

/** Leads of one run, at most, and how many of them in parallel. */
const MOST = 500
const LANES = 25
/** Seconds until the next run: the leads of this one are off the list by then. */
const PAUSE = 1

/** `gone`: it was off the list already, which the index did not show yet. */
interface Resumed {
  readonly outcome: 'moved' | 'paused' | 'gone'
  readonly lead: Lead | undefined
}

const resume = async (id: number, lines: Lines, policy: CallingPolicy): Promise<Resumed> => {
  const at = now()
  let outcome: Resumed['outcome'] = 'gone'
  const change = (parked: Lead) => {
    outcome = 'gone'
    if (parked.due_list !== 'PARKED') return undefined
    outcome = isPaused({ lead: parked, lines }) ? 'paused' : 'moved'
    return outcome === 'paused' ? undefined : { ...parked, ...releasedCall(parked, at, policy, 'RESUMED'), cause: 'schedule' as const }
  }
  const lead = await readOrQuarantine(id, () => changeLead(id, change))
  return { outcome, lead }
}

/** @returns whether parked leads may be left to release; false after another pause, because they stay parked then */
const sendOn = async (owner: number): Promise<boolean> => {
  const [user, lines] = await Promise.all([getUser(owner), getLines(owner)])
  if (!user || lines.paused) return false
  const parked = await dueBetween(dueKey('PARKED', owner, 0), 0, now() + HOUR, MOST)
  const ids = parked.map(({ lead }) => lead)
  const policy = await callingPolicy(user)
  const resumed: Resumed[] = []
  // One lead that keeps failing must not keep the others parked.
  await allInLanes(LANES, ids, async (id) => resumed.push(await resume(id, lines, policy)))
  await dispatchEachSoon(
    resumed.flatMap(({ outcome, lead }) => (outcome === 'moved' && lead ? lead : [])),
    now(),
  )
  return resumed.length > 0 && resumed.every(({ outcome }) => outcome !== 'paused')
}

/**
 * Releases an owner's parked leads after a pause, and those that waited for a line before it. Each run releases some, and sends a message
 * for the next run until none is left. The sweep starts again where that message got lost.
 * @param turn instant of the run before; a message with an older turn than the latest is ignored
 */
export const unpark = async (owner: number, turn: Instant): Promise<void> => {
  const at = now()
  if (!(await takeUnparkingTurn(owner, turn, at))) return
  if (await sendOn(owner)) await sendCallMessages([unparkMessage(owner, at, PAUSE)])
  else await unmarkUnparking(owner, now())
  await startWaiting(owner)
}
