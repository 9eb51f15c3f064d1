import { describe, expect, it } from '@jest/globals'
import { CREDENTIALS } from '#lib/local/engines/engine.ts'
import { withoutAws } from '#lib/local/without-aws.ts'
import { CONNECT_API } from '#shared/agents/platforms/connect/request.ts'

const agent = (name: string, url = CONNECT_API) => ({
  ...{ id: 'flow', url },
  platform: { name, assistant: 'a', from: [], credentials: '', credentials_hash: '', settings: {}, longest_call_seconds: 600 },
})

describe('an agent on Amazon Connect', () => {
  it('an agent on Amazon Connect cannot call with the credentials of a local service', () => {
    expect(withoutAws(agent('connect'), CREDENTIALS.accessKeyId)).toMatch(
      /^The agent flow is on Amazon Connect\. A local service has no AWS/,
    )
  })

  it.each([
    ['with credentials of AWS', agent('connect'), 'AKIAIOSFODNN7EXAMPLE'],
    ['at an emulator', agent('connect', 'http://127.0.0.1:8080'), CREDENTIALS.accessKeyId],
    ['on another platform', agent('vapi'), CREDENTIALS.accessKeyId],
  ])('an agent of a local service may call %s', (_, given, key) => {
    expect(withoutAws(given, key)).toBeUndefined()
  })
})
