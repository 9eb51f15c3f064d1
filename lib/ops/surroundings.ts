import type { NpmCall } from '../npm-call.ts'

/** What the tool has around it: a test gives it another. */
export interface OpsEnvironment {
  /** Read, and written to for the modules that reach the target. */
  readonly environment: Record<string, string | undefined>
  /** How npm runs the tool; undefined: it does not, or nobody asks. */
  readonly npm?: NpmCall | undefined
  /** Standard output: the result. */
  print(text: string): unknown
  /** Standard error: messages and progress. */
  note(text: string): unknown
  /** Asks whoever sits there; undefined: nobody does. */
  readonly ask?: (question: string) => Promise<string>
}
