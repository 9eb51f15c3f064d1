/** What keeps a text from being a filter condition. The message is for clients, and names the position. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
  /** Of the first character that does not fit, from 1; one past the last where something is missing. */
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}
