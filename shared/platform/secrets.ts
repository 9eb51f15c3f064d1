import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

const client = new SecretsManagerClient({})
const values = new Map<string, Promise<string>>()

const fetchSecret = async (arn: string): Promise<string> => {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }))
  if (!SecretString) throw new Error('The secret has no text.')
  return SecretString
}

/** A secret's text, fetched once for each sandbox. A failed fetch is retried at the next call. */
export const secret = (arn: string): Promise<string> => {
  const known = values.get(arn)
  if (known) return known
  const value = fetchSecret(arn)
  values.set(arn, value)
  value.catch(() => values.delete(arn))
  return value
}
