/** Why a command is not carried out, in whole sentences for the operator. */
export class OpsRefusal extends Error {
  override readonly name: string = 'OpsRefusal'
}

/** What is wrong with the command itself. */
export class OpsMistake extends OpsRefusal {
  override readonly name = 'OpsMistake'
}

/** Why a command was cut short that had done something by then. */
export class OpsCutShort extends Error {
  override readonly name = 'OpsCutShort'
  /** What it had done, for programs. */
  readonly done: Readonly<Record<string, unknown>>

  constructor(cause: unknown, done: OpsCutShort['done']) {
    super('It was cut short.', { cause })
    this.done = done
  }
}
