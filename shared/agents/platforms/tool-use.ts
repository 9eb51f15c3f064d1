import type { OfferedTool } from './tools.ts'

/** A tool that the assistant called. */
export interface ToolCall {
  /** The platform's id of this call of the tool; null when it has none. */
  readonly id: string | null
  /** The name that the assistant used. We may have no tool of this name. */
  readonly name: string
  /** Null when the arguments are no JSON object. */
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
  /** For `event` only: makes the response to the event from the results of its tools. */
  readonly answer?: (results: readonly ToolResult[]) => unknown
  /** The definition of a tool, for the operator to paste at the platform. */
  readonly define: (tool: OfferedTool) => unknown
  /** Set when the conversation is the customer's own code. Nobody analyses it, so the code reports the outcome with a tool. */
  readonly isOwnCode?: boolean
}
