/** A window over a stream of bytes. It grows when more bytes are needed, and drops bytes that were read. */
export class ByteWindow {
  readonly #stream: AsyncIterator<Uint8Array>
  bytes: Uint8Array = new Uint8Array()
  /** Index of the first unread byte. */
  at = 0
  /** Nothing comes after `bytes`. */
  isWhole = false

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#stream = stream[Symbol.asyncIterator]()
  }

  get unread(): number {
    return this.bytes.length - this.at
  }

  /** At least doubles the unread bytes. A caller that scans them again each time then reads each byte twice on average. */
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

  /** Closes the stream, even before its end. */
  async close(): Promise<void> {
    await this.#stream.return?.()
  }
}
