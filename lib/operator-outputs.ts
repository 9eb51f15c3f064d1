const PREFIX = 'Operator'

/** Name of the output by which a stack tells the operator's tool what functions find in a variable: `OperatorTableName` of `TABLE_NAME`. */
export const outputOf = (variable: string): string =>
  `${PREFIX}${variable.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase())}`

/** The variable of such an output; undefined of any other one. */
export const variableOf = (output: string): string | undefined =>
  output.startsWith(PREFIX)
    ? output
        .slice(PREFIX.length)
        .replace(/(?<=.)([A-Z])/g, '_$1')
        .toUpperCase()
    : undefined
