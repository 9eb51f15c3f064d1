import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toolProcess } from '#test/support/ops-process.ts'

/** For users who ask again and again whether something is done. */
export const UNTHROTTLED = { burst_per_minute: 1_000_000, sustained_per_day: 1_000_000_000 }

/** The operator's tool for a service that keeps its data in `directory`. */
export const operatorOf = (directory: string) => {
  const run = async (args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<string> => {
    const { code, out, err } = await toolProcess([...args, '--data', directory], { ...process.env, ...variables })
    if (code !== 0) throw new Error(`The operator's tool ended with ${code}: ${err}`)
    return out
  }
  return {
    /** Applies a configuration. `variables`: the values of `${NAME}` in it. */
    apply: async (configuration: object, variables?: Readonly<Record<string, string>>): Promise<void> => {
      const file = join(directory, 'configuration.yaml')
      // JSON is YAML.
      await writeFile(file, JSON.stringify(configuration))
      await run(['apply', file, '--yes'], variables)
    },
    /** Issues an API key to a user. */
    issueKey: async (user: string): Promise<string> => JSON.parse(await run(['keys', 'issue', user, '--json'])).key,
  }
}
