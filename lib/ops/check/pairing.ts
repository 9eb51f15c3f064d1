/**
 * Facts that are told on two sides of the table. What both sides have told is forgotten, so that memory holds those alone whose other side
 * is still to come.
 */
export class Pairing {
  readonly #facts = { left: new Set<string>(), right: new Set<string>() }

  tell(side: 'left' | 'right', fact: string): void {
    const other = side === 'left' ? 'right' : 'left'
    if (!this.#facts[other].delete(fact)) this.#facts[side].add(fact)
  }

  /** What one side alone has told. */
  unpaired(side: 'left' | 'right'): Iterable<string> {
    return this.#facts[side]
  }
}
