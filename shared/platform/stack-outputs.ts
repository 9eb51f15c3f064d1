import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation'

/** What the stacks of those names tell, by the names of their outputs. */
export const stackOutputs = async (names: RegExp): Promise<Readonly<Record<string, string>>> => {
  const outputs: Record<string, string> = {}
  for await (const { Stacks = [] } of paginateDescribeStacks({ client: new CloudFormationClient({}) }, {})) {
    for (const { Outputs = [] } of Stacks.filter(({ StackName = '' }) => names.test(StackName))) {
      for (const { OutputKey, OutputValue } of Outputs) if (OutputKey && OutputValue) outputs[OutputKey] = OutputValue
    }
  }
  return outputs
}
