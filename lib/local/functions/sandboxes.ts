import type { FunctionSpec } from '../model.ts'
import { MOST_IN_BACKGROUND, MOST_PER_FUNCTION, MOST_SANDBOXES } from '../sandbox-limits.ts'
import type { RunOutcome } from './messages.ts'
import { type Patience, type Sandbox, startSandbox } from './start-sandbox.ts'

interface Waiting {
  readonly payload: string
  readonly resolve: (outcome: RunOutcome) => void
}

interface Place {
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
  readonly places: Set<Place>
}

export interface Sandboxes {
  run(functionName: string, payload: string): Promise<RunOutcome>
  /** Starts a function's first sandbox before its first event, unless half of the places are taken. Resolves when it is loaded. */
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
    specs.map((spec) => [spec.name, { spec, isInBackground: background.includes(spec.name), waiting: [], places: new Set() }]),
  )

  const placesOf = (all: readonly Line[]): Place[] => all.flatMap((line) => [...line.places])
  const places = (): Place[] => placesOf([...lines.values()])
  /** Whether this is a background function, and background functions already have all the sandboxes that they may have. */
  const isAtLimit = (line: Line): boolean => {
    const inBackground = [...lines.values()].filter((other) => other.isInBackground)
    return line.isInBackground && placesOf(inBackground).length >= MOST_IN_BACKGROUND
  }
  const hasRoom = (line: Line): boolean => places().length < MOST_SANDBOXES && !isAtLimit(line)

  const serve = (line: Line): void => {
    for (const place of line.places) if (place.state === 'idle') giveNext(place)
    const loading = [...line.places].filter((place) => place.state === 'loading').length
    for (let missing = line.waiting.length - loading; missing > 0; missing--) {
      if (line.places.size >= MOST_PER_FUNCTION || !makeRoom(line)) return
      open(line)
    }
  }

  const giveNext = (place: Place): void => {
    const next = place.owner.waiting.shift()
    if (next === undefined) return
    place.state = 'busy'
    void place.sandbox.run(next.payload).then((outcome) => {
      next.resolve(outcome)
      if (outcome.ok || outcome.errorType === 'HandlerError') release(place)
      else close(place)
    })
  }

  const release = (place: Place): void => {
    place.state = 'idle'
    place.idleSince = performance.now()
    // A function without any sandbox goes before the next event of a function that has many.
    const starved = inNeed(undefined).some((line) => line.places.size === 0 && !hasRoom(line) && givesWay(place, line))
    if (starved) {
      close(place)
      return
    }
    serve(place.owner)
    if (place.state === 'idle') serveOthers(place.owner)
  }

  const serveOthers = (but: Line | undefined): void => {
    for (const line of inNeed(but)) serve(line)
  }

  /** Lines with waiting events: functions whose answer somebody waits for come first, then those with the fewest sandboxes. */
  const inNeed = (but: Line | undefined): Line[] =>
    [...lines.values()]
      .filter((line) => line !== but && line.waiting.length > 0)
      .toSorted((a, b) => Number(a.isInBackground) - Number(b.isInBackground) || a.places.size - b.places.size)

  const givesWay = ({ owner }: Place, line: Line): boolean => owner !== line && (owner.isInBackground || !isAtLimit(line))

  const makeRoom = (line: Line): boolean => {
    if (hasRoom(line)) return true
    const idle = places()
      .filter((place) => place.state === 'idle' && givesWay(place, line))
      .toSorted((a, b) => a.idleSince - b.idleSince)[0]
    if (idle === undefined) return false
    remove(idle)
    return true
  }

  const remove = (place: Place): void => {
    place.owner.places.delete(place)
    place.sandbox.end()
  }

  const close = (place: Place): void => {
    remove(place)
    serveOthers(undefined)
  }

  /**
   * A function behind a route stops when its time is over, so it must see all of its longer time. A background function plans by the time
   * that it sees, and gets AWS's limit. So messages and leases come back as early here as on AWS.
   */
  const patienceFor = ({ isInBackground }: Line): Patience => ({ given: patience, told: isInBackground ? 1 : patience })

  const open = (line: Line): Place => {
    const place: Place = { sandbox: startSandbox(line.spec, patienceFor(line)), owner: line, state: 'loading', idleSince: 0 }
    line.places.add(place)
    void place.sandbox.loaded.then((failure) => {
      if (failure === undefined) {
        // A new sandbox serves one event before it may be closed. Otherwise starving functions could close each other's sandboxes for ever.
        giveNext(place)
        return place.state === 'busy' ? undefined : release(place)
      }
      // The oldest event gets the failure. The others get a new sandbox, or the same failure.
      line.waiting.shift()?.resolve(failure)
      close(place)
    })
    void place.sandbox.ended.then(() => {
      if (place.state === 'idle' && line.places.has(place)) close(place)
    })
    return place
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
      if (line === undefined || line.places.size > 0 || places().length >= MOST_SANDBOXES / 2) return
      await open(line).sandbox.loaded
    },
  }
}
