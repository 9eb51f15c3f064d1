import { CfnOutput, type Stack } from 'aws-cdk-lib'
import { outputOf } from '../operator-outputs.ts'

/** Passes functions' variables to the operator's tool, as outputs of the stack. Empty values are left out. */
export const tellOperator = (stack: Stack, variables: Readonly<Record<string, string>>): void => {
  for (const [variable, value] of Object.entries(variables)) if (value !== '') new CfnOutput(stack, outputOf(variable), { value })
}
