/** Why a text is not a valid filter condition. The message is for clients, and names the position. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
  /** Position of the first wrong character, from 1. Where something is missing at the end: one past the last character. */
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}
