import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation'

/** Outputs of the stacks whose names match, by output name. */
export const stackOutputs = async (names: RegExp): Promise<Readonly<Record<string, string>>> => {
  const outputs: Record<string, string> = {}
  for await (const { Stacks = [] } of paginateDescribeStacks({ client: new CloudFormationClient({}) }, {})) {
    for (const { Outputs = [] } of Stacks.filter(({ StackName = '' }) => names.test(StackName))) {
      for (const { OutputKey, OutputValue } of Outputs) if (OutputKey && OutputValue) outputs[OutputKey] = OutputValue
    }
  }
  return outputs
}
