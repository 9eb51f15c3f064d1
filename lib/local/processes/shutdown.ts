import { setTimeout as pause } from 'node:timers/promises'
import { StartFailure } from '../engines/engine.ts'

/** Milliseconds. A step that takes longer does not hold up the next one. */
const STEP_LIMIT_MS = 5_000

/** Stops what was started, the last one first. Steps that are added after that run at once. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []
  #begun = false
  #ran = false

  get begun(): boolean {
    return this.#begun
  }

  /** Nothing may be started after this. */
  begin(): void {
    this.#begun = true
  }

  /** Called between two steps of a start. @throws StartFailure once the shutdown has begun */
  check(): void {
    if (this.#begun) throw new StartFailure('The service was stopped before it was ready.')
  }

  add(stop: () => unknown): void {
    if (this.#ran) void this.#run(stop)
    else this.#steps.push(stop)
  }

  async run(): Promise<void> {
    this.#begun = true
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await this.#run(step)
    this.#ran = true
  }

  async #run(step: () => unknown): Promise<void> {
    // Ignore errors: the other steps of the shutdown must run too.
    const stopped = Promise.resolve()
      .then(step)
      .catch(() => {})
    await Promise.race([stopped, pause(STEP_LIMIT_MS, undefined, { ref: false })])
  }
}
