/** The type without its parameters, of the first of several. */
const essence = (header: string): string => (header.split(/[;,]/)[0] ?? '').trim().toLowerCase()

/** Whether the `Content-Type` or `Accept` value is one that the API treats as binary. */
export const isBinary = (binaryMediaTypes: readonly string[], header: string | undefined): boolean =>
  binaryMediaTypes.some((pattern) => pattern === '*/*' || (header !== undefined && essence(pattern) === essence(header)))
