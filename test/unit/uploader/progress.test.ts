import { describe, expect, it } from '@jest/globals'
import { sendingLine, UploadProgress } from '#lib/uploader/progress.ts'

const progressOn = (isTTY: boolean) => {
  const written: string[] = []
  const at = { seconds: 0 }
  const progress = new UploadProgress({ isTTY, write: (text) => void written.push(text) }, () => at.seconds * 1000)
  return { written, at, progress }
}

describe('progress', () => {
  it('the progress of an upload is one changing line on a terminal', () => {
    const { written, progress } = progressOn(true)
    progress.show('1 %')
    progress.show('1 %')
    progress.show('2 %')
    progress.end('100 %')
    expect(written).toEqual(['\r\x1b[K1 %', '\r\x1b[K2 %', '\r\x1b[K100 %\n'])
  })

  it('the progress of an upload is one line every five seconds elsewhere, plus the last one', () => {
    const { written, at, progress } = progressOn(false)
    for (; at.seconds < 12; at.seconds++) progress.show(`${at.seconds} %`)
    progress.end('100 %')
    progress.show('0 rows')
    expect(written).toEqual(['5 %\n', '10 %\n', '100 %\n'])
  })

  it.each([
    [0, 0, 0, 'Sending [########################] 100 % of 0 B'],
    [0, 1000, 10, 'Sending [........................] 0 % of 1.0 kB, 0 B/s'],
    [29, 29, 30, 'Sending [########################] 100 % of 29 B, 967 B/s'],
    [1_499_999_999, 3_000_000_000, 1000, 'Sending [############............] 49 % of 3.0 GB, 1.5 GB/s'],
  ])('the progress of an upload shows size and speed: %d of %d bytes after %d ms', (sent, size, milliseconds, line) => {
    expect(sendingLine(sent, size, milliseconds)).toBe(line)
  })
})
