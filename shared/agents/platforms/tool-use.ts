import type { OfferedTool } from './tools.ts'

/** A tool that the assistant called. */
export interface ToolCall {
  /** The platform's id of this call of the tool; null when it has none. */
  readonly id: string | null
  /** It may be none of our tools. */
  readonly name: string
  /** Null: they are no JSON object. */
  readonly args: Readonly<Record<string, unknown>> | null
  /** ISO 8601. */
  readonly time: string
}

/** The answer to a tool, for the language model to read. */
export interface ToolAnswer {
  /** Whether the tool did what it was called for. */
  readonly ok: boolean
  /** Says in a sentence or two what happened and what to do next. */
  readonly message: string
  readonly slots?: readonly object[]
  readonly appointment?: object
}

export interface ToolResult {
  readonly call: ToolCall
  readonly answer: ToolAnswer
}

/** How the assistants of a platform call our tools. */
export interface ToolUse {
  /**
   * How a call of a tool arrives.
   * - `event`: as an event, which `translate` reads.
   * - `signed`: as a request to the tool's own URL, with the platform's signature.
   * - `token`: as a request to the tool's own URL, with a token that we give out.
   */
  readonly by: 'event' | 'signed' | 'token'
  /** For `event` only: the answer to the event. */
  readonly answer?: (results: readonly ToolResult[]) => unknown
  /** The definition of a tool, to paste. */
  readonly define: (tool: OfferedTool) => unknown
  /** The conversation is the customer's own code, and nobody analyses it. So it reports the outcome with a tool. */
  readonly isOwnCode?: boolean
}
