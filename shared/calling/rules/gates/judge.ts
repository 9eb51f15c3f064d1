import { GATE_NAMES, type GateName } from '../../../platform/values/values.ts'
import type { Gate, GateInputs, Verdict } from '../verdict.ts'
import { consent } from './consent.ts'
import { leadType, status } from './lead.ts'
import { capacity, paused } from './owner.ts'
import { attemptCap, callInProgress, dnc, litigator } from './person.ts'
import { reassigned } from './reassigned.ts'
import { registry } from './registry.ts'
import { due, startTime, window } from './time.ts'

const GATES: Readonly<Record<GateName, Gate>> = {
  status,
  paused,
  dnc,
  litigator,
  registry,
  lead_type: leadType,
  consent,
  reassigned,
  start_time: startTime,
  due,
  window,
  attempt_cap: attemptCap,
  call_in_progress: callInProgress,
  capacity,
}

/** All gates are always asked, except `registry` and `reassigned`, which most lead types do not use. */
const isAsked = (gate: GateName, { leadType: type }: GateInputs): boolean => {
  if (gate === 'registry') return (type?.registries ?? null) !== null
  return gate !== 'reassigned' || (type?.reassigned_numbers ?? null) !== null
}

/** Every gate's verdict on a call that would start now, including the gates after the first refusal. */
export const judge = (inputs: GateInputs): Verdict[] =>
  GATE_NAMES.filter((name) => isAsked(name, inputs)).map((name) => GATES[name](inputs))

/** The first gate that refuses; undefined when the call may start. */
export const firstRefusal = (verdicts: readonly Verdict[]): Verdict | undefined => verdicts.find(({ passed }) => !passed)

/** The codes to store with an attempt. */
export const codes = (verdicts: readonly Verdict[]): Record<string, string> =>
  Object.fromEntries(verdicts.map(({ gate, code }) => [gate, code]))
