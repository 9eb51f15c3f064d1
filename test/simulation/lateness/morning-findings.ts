import { bound, type Finding, told } from './finding.ts'
import type { Journal } from './journal.ts'
import { handOvers, mostAtOnce, spreadOf } from './measure.ts'
import type { Plan } from './plan.ts'
import type { VirtualQueue } from './queue.ts'

/** Milliseconds from the leads' due instant to an owner's first call, as the p99 of all owners. */
const FIRST_CALL = 5000
const MESSAGES_A_CALL = 1.5
/**
 * Milliseconds from a call's end to the next dial on its line, as the p99 of an owner. Queued fills come each second, and a line that one of
 * them missed waits for the next ones. A lost wake-up takes up to a minute. The time in which the first calls of all lines are placed does not
 * count: the capacity of the deployment decides how long that takes, and the starts a second of one owner.
 */
const HAND_OVER = 10_000
/** Milliseconds that the first call of each line takes at most. An owner's calls start at about 500 a second. */
const FIRST_OF_LINE = 2.5

/** Whether owners had more calls than lines, and for how long their lines were idle. */
const linesFindings = (plan: Plan & { readonly allDue: number }, journal: Journal, emptied: number | null): Finding[] => {
  const emptiedTime = Math.max(plan.allDue, emptied ?? plan.allDue)
  const ownerOf = (lead: number): number => journal.due.get(lead)?.owner ?? 0
  const dials = Map.groupBy(journal.asked, ({ lead }) => ownerOf(lead))
  const ends = Map.groupBy(journal.ended, ({ lead }) => ownerOf(lead))
  const owners = [...Map.groupBy(plan.leads, ({ owner }) => owner)].map(([owner, leads]) => {
    const [asked, ended] = [dials.get(owner) ?? [], ends.get(owner) ?? []].map((list) => list.map(({ instant }) => instant))
    const lines = Math.min(plan.linesOf(owner), leads.length)
    const calm = Math.max(emptiedTime, plan.allDue + FIRST_OF_LINE * lines)
    const isEmpty = (asked?.length ?? 0) >= leads.length
    const until = isEmpty ? Math.max(...(asked ?? [])) : plan.end
    const most = mostAtOnce(asked ?? [], ended ?? [])
    const first = Math.min(...(asked ?? []), plan.end) - plan.allDue
    return {
      first,
      isOver: most > plan.linesOf(owner),
      use: handOvers(asked ?? [], ended ?? [], { lines, from: plan.allDue, until, calm }),
    }
  })
  const filled = spreadOf(owners.map(({ use }) => use.first.max))
  const gaps = spreadOf(owners.map(({ use }) => use.gaps.p99))
  return [
    bound(
      'first call of a user after its leads are due, p99 of the users',
      spreadOf(owners.map(({ first }) => first)).p99,
      'ms',
      FIRST_CALL,
    ),
    told('all lines of a user in calls after its leads are due, p99', filled.p99, 'ms'),
    told('queue empty again after the leads are due', emptiedTime - plan.allDue, 'ms'),
    told('idle line at a later hand-over (p99 of a user), p50', gaps.p50, 'ms'),
    bound('idle line at a later hand-over (p99 of a user), p99', gaps.p99, 'ms', HAND_OVER),
    bound('users with more calls than lines', owners.filter(({ isOver }) => isOver).length, '', 0),
  ]
}

/** Findings on a morning at which all leads become due at once. */
export const morningFindings = (
  plan: Plan & { readonly allDue: number },
  { journal, queue }: { readonly journal: Journal; readonly queue: VirtualQueue },
): Finding[] => {
  const dials = journal.asked.length
  const total = (of: 'read' | 'write') => [...journal.spent].reduce((sum, [kind, costs]) => sum + (/\d/.test(kind) ? 0 : costs[of]), 0)
  return [
    told('leads', plan.leads.length, ''),
    told('calls', dials, ''),
    bound('calls before the leads were due', journal.asked.filter(({ instant }) => instant < plan.allDue).length, '', 0),
    ...linesFindings(plan, journal, queue.counts.emptied),
    bound('messages, a call', queue.counts.sent / dials, '', MESSAGES_A_CALL),
    told('read units, a call', total('read') / dials, ''),
    told('write units, a call', total('write') / dials, ''),
  ]
}
