// Preloaded into each sandbox (`--import …/recorder.ts?/folder`). Records the function's AWS calls, and the URLs that it signs, in the
// folder. Each sandbox records a call once.
import { appendFileSync } from 'node:fs'
import { ClientRequest } from 'node:http'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { type Call, callsOf, signedCallsIn } from './calls.ts'

const folder = decodeURIComponent(new URL(import.meta.url).search.slice(1))
const name = `${process.env['AWS_LAMBDA_FUNCTION_NAME']}`
const file = join(folder, `${name}.jsonl`)
const hosts = new Set(
  Object.entries(process.env).flatMap(([variable, value = '']) => (variable.startsWith('AWS_ENDPOINT_URL_') ? [new URL(value).host] : [])),
)
const noted = new Set<string>()

const note = (calls: readonly Call[]): void => {
  for (const call of calls) {
    const line = JSON.stringify(call)
    if (noted.has(line)) continue
    noted.add(line)
    appendFileSync(file, `${line}\n`)
  }
}

const textOf = (body: unknown): string => {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? Buffer.from(body).toString() : ''
}

const { end } = ClientRequest.prototype
ClientRequest.prototype.end = function (this: ClientRequest, ...given: readonly unknown[]) {
  if (hosts.has(`${this.getHeader('host')}`)) {
    const [body] = given
    note(callsOf({ method: this.method, path: this.path, target: `${this.getHeader('x-amz-target') ?? ''}`, body: textOf(body) }))
  }
  return Reflect.apply(end, this, given)
}

const tell = parentPort?.postMessage.bind(parentPort)
if (parentPort && tell) {
  parentPort.postMessage = (message, transfer) => {
    note(signedCallsIn(JSON.stringify(message)))
    tell(message, transfer)
  }
}
