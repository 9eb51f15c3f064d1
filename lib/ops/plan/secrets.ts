import type { Path } from '../configuration/mistakes.ts'
import type { Planning } from './planning.ts'

/** `whsec_` and 24 to 64 bytes in base64. */
const SECRET = /^whsec_(?=.{32,88}$)[A-Za-z0-9+/]+={0,2}$/

/** The secret in an environment variable; undefined when it is not valid. The mistake is recorded. @param said `${NAME}` */
export const secretOf = ({ environment, mistakes }: Planning, said: string, path: Path): string | undefined => {
  const name = said.slice(2, -1)
  const value = environment[name]
  if (value === undefined || value === '') mistakes.add(path, `The environment variable ${name} is not set.`)
  else if (!SECRET.test(value)) {
    mistakes.add(path, `The environment variable ${name} holds no Standard Webhooks secret: whsec_ and 24 to 64 bytes in base64.`)
  } else return value
  return undefined
}
