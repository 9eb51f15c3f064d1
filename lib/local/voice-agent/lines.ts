/** Limits parallel work. The others wait in order of arrival. */
export class ReportLimit {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #used = 0
  /** Most that were in use at a time. */
  mostUsed = 0

  constructor(most: number) {
    this.#most = most
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#used >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#used++
    this.mostUsed = Math.max(this.mostUsed, this.#used)
    try {
      return await work()
    } finally {
      // The next waiter takes over the slot.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#used--
    }
  }
}
