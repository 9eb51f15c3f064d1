import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'

/** Access to one thing for a function: variables that say where it is, and permissions to use it. */
export interface Provision {
  readonly environment?: Readonly<Record<string, string>>
  readonly statements?: readonly PolicyStatement[]
  /** Findings of the rule pack about the statements, and why they are accepted. */
  readonly acknowledged?: readonly { readonly id: string; readonly reason: string }[]
  /** Folders, relative to the project, whose files the function finds below `/opt`. */
  readonly folders?: readonly string[]
}

/** Allows exactly these actions on exactly these resources. */
export const allow = (actions: readonly string[], ...resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources] })
