import { afterAll, beforeEach, jest } from '@jest/globals'
import { logger } from '#shared/platform/logger.ts'

/** Captures the logger's lines during each test instead of printing them. */
export const captureLog = (): string[] => {
  const lines: string[] = []
  const capture = (line: unknown) => lines.push(String(line)) > 0
  const spies = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write').mockImplementation(capture))
  logger.setLogLevel('INFO')
  beforeEach(() => {
    lines.length = 0
  })
  afterAll(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return lines
}
