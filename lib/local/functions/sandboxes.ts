import type { FunctionSpec } from '../model.ts'
import { MOST_IN_BACKGROUND, MOST_PER_FUNCTION, MOST_SANDBOXES } from '../sandbox-limits.ts'
import type { RunOutcome } from './messages.ts'
import { type Patience, type Sandbox, startSandbox } from './start-sandbox.ts'

interface Waiting {
  readonly payload: string
  readonly resolve: (outcome: RunOutcome) => void
}

interface Slot {
  readonly sandbox: Sandbox
  readonly owner: Line
  state: 'loading' | 'idle' | 'busy'
  idleSince: number
}

/** One function's waiting events in order, and its sandboxes. */
interface Line {
  readonly spec: FunctionSpec
  readonly isInBackground: boolean
  readonly waiting: Waiting[]
  readonly slots: Set<Slot>
}

export interface Sandboxes {
  run(functionName: string, payload: string): Promise<RunOutcome>
  /** Starts a function's first sandbox before its first event, unless half of the permitted sandboxes run. Resolves when it is loaded. */
  warm(functionName: string): Promise<void>
}

export interface SandboxesOptions {
  readonly specs: readonly FunctionSpec[]
  /** Factor for the time limits of functions. */
  readonly patience: number
  /** Names of functions whose answer nobody waits for. */
  readonly background: readonly string[]
}

/**
 * Sandboxes for all functions. An event goes to the first free sandbox of its function. While events wait, more sandboxes start. When there
 * is no room, the longest idle sandbox of another function is closed. Background functions leave room for the others.
 */
export const openSandboxes = ({ specs, patience, background }: SandboxesOptions): Sandboxes => {
  const lines = new Map<string, Line>(
    specs.map((spec) => [spec.name, { spec, isInBackground: background.includes(spec.name), waiting: [], slots: new Set() }]),
  )

  const slotsOf = (all: readonly Line[]): Slot[] => all.flatMap((line) => [...line.slots])
  const slots = (): Slot[] => slotsOf([...lines.values()])
  /** Whether this is a background function, and background functions already have all the sandboxes that they may have. */
  const isAtLimit = (line: Line): boolean => {
    const inBackground = [...lines.values()].filter((other) => other.isInBackground)
    return line.isInBackground && slotsOf(inBackground).length >= MOST_IN_BACKGROUND
  }
  const hasRoom = (line: Line): boolean => slots().length < MOST_SANDBOXES && !isAtLimit(line)

  const serve = (line: Line): void => {
    for (const slot of line.slots) if (slot.state === 'idle') giveNext(slot)
    const loading = [...line.slots].filter((slot) => slot.state === 'loading').length
    for (let missing = line.waiting.length - loading; missing > 0; missing--) {
      if (line.slots.size >= MOST_PER_FUNCTION || !makeRoom(line)) return
      open(line)
    }
  }

  const giveNext = (slot: Slot): void => {
    const next = slot.owner.waiting.shift()
    if (next === undefined) return
    slot.state = 'busy'
    void slot.sandbox.run(next.payload).then((outcome) => {
      next.resolve(outcome)
      if (outcome.ok || outcome.errorType === 'HandlerError') release(slot)
      else close(slot)
    })
  }

  const release = (slot: Slot): void => {
    slot.state = 'idle'
    slot.idleSince = performance.now()
    // A function without any sandbox goes before the next event of a function that has many.
    const starved = inNeed(undefined).some((line) => line.slots.size === 0 && !hasRoom(line) && givesWay(slot, line))
    if (starved) {
      close(slot)
      return
    }
    serve(slot.owner)
    if (slot.state === 'idle') serveOthers(slot.owner)
  }

  const serveOthers = (but: Line | undefined): void => {
    for (const line of inNeed(but)) serve(line)
  }

  /** Lines with waiting events: functions whose answer somebody waits for come first, then those with the fewest sandboxes. */
  const inNeed = (but: Line | undefined): Line[] =>
    [...lines.values()]
      .filter((line) => line !== but && line.waiting.length > 0)
      .toSorted((a, b) => Number(a.isInBackground) - Number(b.isInBackground) || a.slots.size - b.slots.size)

  const givesWay = ({ owner }: Slot, line: Line): boolean => owner !== line && (owner.isInBackground || !isAtLimit(line))

  const makeRoom = (line: Line): boolean => {
    if (hasRoom(line)) return true
    const idle = slots()
      .filter((slot) => slot.state === 'idle' && givesWay(slot, line))
      .toSorted((a, b) => a.idleSince - b.idleSince)[0]
    if (idle === undefined) return false
    remove(idle)
    return true
  }

  const remove = (slot: Slot): void => {
    slot.owner.slots.delete(slot)
    slot.sandbox.end()
  }

  const close = (slot: Slot): void => {
    remove(slot)
    serveOthers(undefined)
  }

  /**
   * A function behind a route stops when its time is over, so it must see all of its longer time. A background function plans by the time
   * that it sees, and gets AWS's limit. So messages and leases come back as early here as on AWS.
   */
  const patienceFor = ({ isInBackground }: Line): Patience => ({ enforced: patience, shown: isInBackground ? 1 : patience })

  const open = (line: Line): Slot => {
    const slot: Slot = { sandbox: startSandbox(line.spec, patienceFor(line)), owner: line, state: 'loading', idleSince: 0 }
    line.slots.add(slot)
    void slot.sandbox.loaded.then((failure) => {
      if (failure === undefined) {
        // A new sandbox serves one event before it may be closed. Otherwise starving functions could close each other's sandboxes for ever.
        giveNext(slot)
        return slot.state === 'busy' ? undefined : release(slot)
      }
      // The oldest event gets the failure. The others get a new sandbox, or the same failure.
      line.waiting.shift()?.resolve(failure)
      close(slot)
    })
    void slot.sandbox.ended.then(() => {
      if (slot.state === 'idle' && line.slots.has(slot)) close(slot)
    })
    return slot
  }

  return {
    run(functionName, payload) {
      const line = lines.get(functionName)
      if (line === undefined)
        return Promise.resolve({ ok: false, errorType: 'HandlerError', message: `there is no function ${functionName}` })
      return new Promise((resolve) => {
        line.waiting.push({ payload, resolve })
        serve(line)
      })
    },
    async warm(functionName) {
      const line = lines.get(functionName)
      if (line === undefined || line.slots.size > 0 || slots().length >= MOST_SANDBOXES / 2) return
      await open(line).sandbox.loaded
    },
  }
}
