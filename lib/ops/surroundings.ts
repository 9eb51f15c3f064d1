import type { NpmCall } from '../command-line/npm-call.ts'
import type { Waiting } from './waiting.ts'

/** Everything outside the tool. Tests replace it. */
export interface OpsEnvironment {
  /** Environment variables. The tool also writes them, for the modules that reach the target. */
  readonly environment: Record<string, string | undefined>
  /** How npm runs the tool; undefined without npm, or in tests that ignore it. */
  readonly npm?: NpmCall | undefined
  /** Standard output: the result. */
  print(text: string): unknown
  /** Standard error: messages and progress. */
  note(text: string): unknown
  /** Asks the operator; undefined when nobody can answer. */
  readonly ask?: (question: string) => Promise<string>
  /** Default: real time, and the signals of this process. */
  readonly waiting?: Waiting
}
