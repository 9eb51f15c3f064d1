/** Lets so many work at a time; the others wait, in the order in which they came. */
export class ReportLimit {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #used = 0
  /** Most that have been used at a time. */
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
      // The next one takes over the place.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#used--
    }
  }
}
