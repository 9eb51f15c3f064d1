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

/** To the functions' process. A payload is JSON text all the way, as on AWS: what JSON cannot say does not arrive. */
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

/** From the functions' process. `warm`: what was to be warmed is, or cannot be. */
export const reply = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('warm') }),
  v.object({ type: v.literal('result'), id: v.number(), outcome }),
])
export type HostReply = v.InferOutput<typeof reply>

/** To a sandbox. */
export interface SandboxEvent {
  readonly payload: string
  readonly requestId: string
}

/** From a sandbox. `broken`: its bundle cannot be loaded. */
export type SandboxReply =
  | { readonly type: 'loaded' }
  | { readonly type: 'broken'; readonly message: string }
  | { readonly type: 'done'; readonly payload: string }
  | { readonly type: 'failed'; readonly message: string }

/** What a sandbox is started with. */
export interface SandboxSettings {
  /** `file:` URL of the bundle's module. */
  readonly module: string
  readonly export: string
  readonly functionName: string
  readonly arn: string
  readonly timeoutSeconds: number
  readonly memoryMb: number
}
