import { setTimeout as pause } from 'node:timers/promises'

/** No step may keep the others from their turn. */
const STEP_LIMIT_MS = 900

/** What has been started, to be stopped the last one first. What is added after the end began is stopped at once. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []
  #begun = false

  get begun(): boolean {
    return this.#begun
  }

  add(stop: () => unknown): void {
    if (this.#begun) void this.#run(stop)
    else this.#steps.push(stop)
  }

  async run(): Promise<void> {
    this.#begun = true
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await this.#run(step)
  }

  async #run(step: () => unknown): Promise<void> {
    // A step that fails has nothing left to stop.
    const stopped = Promise.resolve()
      .then(step)
      .catch(() => {})
    await Promise.race([stopped, pause(STEP_LIMIT_MS, undefined, { ref: false })])
  }
}
