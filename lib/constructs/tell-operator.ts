import { CfnOutput, type Stack } from 'aws-cdk-lib'
import { outputOf } from '../operator-outputs.ts'

/** Has the outputs of a stack tell the operator's tool what functions find in these variables. What is empty is not told. */
export const tellOperator = (stack: Stack, variables: Readonly<Record<string, string>>): void => {
  for (const [variable, value] of Object.entries(variables)) if (value !== '') new CfnOutput(stack, outputOf(variable), { value })
}
