import * as v from 'valibot'

const functionSpec = v.object({
  name: v.string(),
  arn: v.string(),
  bundle: v.string(),
  handler: v.string(),
  environment: v.record(v.string(), v.string()),
  timeoutSeconds: v.number(),
  memoryMb: v.number(),
})

/** Messages to the functions' process. A payload is JSON text all the way, as on AWS. Values that JSON cannot express are lost. */
export const request = v.variant('type', [
  v.object({
    type: v.literal('configure'),
    functions: v.array(functionSpec),
    warm: v.array(v.string()),
    patience: v.number(),
    background: v.array(v.string()),
  }),
  v.object({ type: v.literal('invoke'), id: v.number(), functionName: v.string(), payload: v.string() }),
])
export type HostRequest = v.InferOutput<typeof request>

const outcome = v.variant('ok', [
  v.object({ ok: v.literal(true), payload: v.string() }),
  v.object({ ok: v.literal(false), errorType: v.picklist(['Crashed', 'TimedOut', 'HandlerError']), message: v.string() }),
])
export type RunOutcome = v.InferOutput<typeof outcome>

/** Messages from the functions' process. `warm`: warming is over; some functions may have failed to load. */
export const reply = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('warm') }),
  v.object({ type: v.literal('result'), id: v.number(), outcome }),
])
export type HostReply = v.InferOutput<typeof reply>

/** A message to a sandbox. */
export interface SandboxEvent {
  readonly payload: string
  readonly requestId: string
}

/** A message from a sandbox. `broken`: its bundle cannot be loaded. */
export type SandboxReply =
  | { readonly type: 'loaded' }
  | { readonly type: 'broken'; readonly message: string }
  | { readonly type: 'done'; readonly payload: string }
  | { readonly type: 'failed'; readonly message: string }

/** The settings of a sandbox. */
export interface SandboxSettings {
  /** `file:` URL of the bundle's module. */
  readonly module: string
  readonly export: string
  readonly functionName: string
  readonly arn: string
  readonly timeoutSeconds: number
  readonly memoryMb: number
}
