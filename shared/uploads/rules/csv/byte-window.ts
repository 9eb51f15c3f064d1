/** The part of a stream of bytes that is being read. It grows with what does not fit, and forgets what has been read. */
export class ByteWindow {
  readonly #stream: AsyncIterator<Uint8Array>
  bytes: Uint8Array = new Uint8Array()
  /** Place of the first byte that has not been read. */
  at = 0
  /** Nothing comes after `bytes`. */
  isWhole = false

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#stream = stream[Symbol.asyncIterator]()
  }

  get unread(): number {
    return this.bytes.length - this.at
  }

  /** At least doubles what is unread, so that whoever looks at it anew each time looks at each byte twice on average. */
  async grow(): Promise<void> {
    const parts = [this.bytes.subarray(this.at)]
    for (let wanted = Math.max(this.unread, 1); wanted > 0 && !this.isWhole; ) {
      const { done, value } = await this.#stream.next()
      if (done) this.isWhole = true
      else {
        parts.push(value)
        wanted -= value.length
      }
    }
    this.bytes = Buffer.concat(parts)
    this.at = 0
  }

  /** Ends the stream, also before its end. */
  async close(): Promise<void> {
    await this.#stream.return?.()
  }
}
