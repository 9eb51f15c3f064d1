/** Facts that appear on two sides of the table. A fact seen on both sides is forgotten, so memory holds only unpaired facts. */
export class Pairing {
  readonly #facts = { left: new Set<string>(), right: new Set<string>() }

  tell(side: 'left' | 'right', fact: string): void {
    const other = side === 'left' ? 'right' : 'left'
    if (!this.#facts[other].delete(fact)) this.#facts[side].add(fact)
  }

  /** Facts that only this side has told. */
  unpaired(side: 'left' | 'right'): Iterable<string> {
    return this.#facts[side]
  }
}
