import { setTimeout as pause } from 'node:timers/promises'
import { StartFailure } from './start-failure.ts'

/** No step may keep the others from their turn. */
const STEP_LIMIT_MS = 5_000

/** What has been started, to be stopped the last one first. What is added after that is stopped at once. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []
  #begun = false
  #ran = false

  get begun(): boolean {
    return this.#begun
  }

  /** From now on nothing more is to be started. */
  begin(): void {
    this.#begun = true
  }

  /** Between two steps of a start. @throws StartFailure once the end has begun */
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
    // A step that fails has nothing left to stop.
    const stopped = Promise.resolve()
      .then(step)
      .catch(() => {})
    await Promise.race([stopped, pause(STEP_LIMIT_MS, undefined, { ref: false })])
  }
}
