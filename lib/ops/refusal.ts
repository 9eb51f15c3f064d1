/** Why a command was refused, in whole sentences for the operator. */
export class OpsRefusal extends Error {
  override readonly name: string = 'OpsRefusal'
}

/** A mistake in the command itself. */
export class OpsMistake extends OpsRefusal {
  override readonly name = 'OpsMistake'
}

/** An interruption of a command that had already done something. */
export class OpsCutShort extends Error {
  override readonly name = 'OpsCutShort'
  /** The work that was done before the failure, as data for programs. */
  readonly done: Readonly<Record<string, unknown>>

  constructor(cause: unknown, done: OpsCutShort['done']) {
    super('The command was interrupted.', { cause })
    this.done = done
  }
}
