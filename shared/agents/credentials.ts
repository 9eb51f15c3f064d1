import * as v from 'valibot'
import { openText, sealText, type Whose } from '../platform/sealing.ts'

/** The secrets of an agent's account on a platform. They are never shown and never logged. */
const Credentials = v.object({ api_key: v.string(), callback_secret: v.nullable(v.string()) })
export type Credentials = v.InferOutput<typeof Credentials>

const whoseOf = (agent: string): Whose => ({ agent })

export const sealCredentials = (agent: string, credentials: Credentials): Promise<string> =>
  sealText(JSON.stringify(credentials), whoseOf(agent))

/** @throws when the credentials cannot be opened; the caller must then not ask the platform */
export const openCredentials = async (agent: string, sealed: string): Promise<Credentials> =>
  v.parse(v.pipe(v.string(), v.parseJson(), Credentials), await openText(sealed, whoseOf(agent)))
