/** Why a command is not carried out, in whole sentences for the operator. */
export class OpsRefusal extends Error {
  override readonly name: string = 'OpsRefusal'
}

/** What is wrong with the command itself. */
export class OpsMistake extends OpsRefusal {
  override readonly name = 'OpsMistake'
}
