/** Why a command is not carried out, in whole sentences for the operator. */
export class OpsRefusal extends Error {
  override readonly name = 'OpsRefusal'
}
