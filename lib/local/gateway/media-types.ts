/** The first media type of a header, without its parameters. */
const essence = (header: string): string => (header.split(/[;,]/)[0] ?? '').trim().toLowerCase()

/** Whether the API treats this `Content-Type` or `Accept` value as binary. */
export const isBinary = (binaryMediaTypes: readonly string[], header: string | undefined): boolean =>
  binaryMediaTypes.some((pattern) => pattern === '*/*' || (header !== undefined && essence(pattern) === essence(header)))
