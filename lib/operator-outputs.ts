const PREFIX = 'Operator'

/** Name of the stack output that passes a function's variable to the operator's tool: `OperatorTableName` for `TABLE_NAME`. */
export const outputOf = (variable: string): string =>
  `${PREFIX}${variable.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase())}`

/** The function's variable that a stack output passes on. Undefined for outputs that pass on no variable. */
export const variableOf = (output: string): string | undefined =>
  output.startsWith(PREFIX)
    ? output
        .slice(PREFIX.length)
        .replace(/(?<=.)([A-Z])/g, '_$1')
        .toUpperCase()
    : undefined
