import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'

/** What a function gets to use one thing: variables that tell where it is, and leave to use it. */
export interface Provision {
  readonly environment?: Readonly<Record<string, string>>
  readonly statements?: readonly PolicyStatement[]
  /** Findings of the rule pack about the statements, and why they stand. */
  readonly acknowledged?: readonly { readonly id: string; readonly reason: string }[]
  /** Folders, from the project's, whose files it finds below `/opt`. */
  readonly folders?: readonly string[]
}

/** Leave for exactly these actions on exactly these resources. */
export const allow = (actions: readonly string[], ...resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources] })
