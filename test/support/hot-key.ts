import { client } from '#shared/platform/table/client.ts'

/** While `run` runs, the table refuses each request that names this partition key, as DynamoDB does when the key has reached its limit. */
export const withHotKey = async <T>(pk: string, run: () => Promise<T>): Promise<T> => {
  client.middlewareStack.add(
    (next) => async (args) => {
      const { body } = args.request as { body?: Uint8Array }
      if (!new TextDecoder().decode(body).includes(`"${pk}"`)) return next(args)
      throw Object.assign(new Error('The limit of the key is reached.'), { name: 'ProvisionedThroughputExceededException', $metadata: {} })
    },
    { step: 'deserialize', name: 'testHotKey' },
  )
  try {
    return await run()
  } finally {
    client.middlewareStack.remove('testHotKey')
  }
}
